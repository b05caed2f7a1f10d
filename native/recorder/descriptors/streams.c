/*
 * Streams that the process was not seen to open: standard input and output, and those of libraries that make them inside of
 * themselves. What is known of one is written down when it is first used: its descriptor, which is described too.
 */
#include "streams.h"

FUNCTION(stream, LAYER_RECORDER, "hF");

/* A bit for each descriptor: what the stream on it is. Cleared with the descriptor's own (descriptors.c). */
uint64_t known_streams[MOST_DESCRIPTORS / 64];

static bool is_known(int fd)
{
    return (known_streams[fd >> 6] >> (fd & 63) & 1) != 0;
}

static void mark(int fd)
{
    __atomic_fetch_or(&known_streams[fd >> 6], (uint64_t)1 << (fd & 63), __ATOMIC_RELAXED);
}

int stream_descriptor(FILE *stream)
{
    if (stream == NULL) return -1;
    int before = errno;
    int fd = fileno(stream);
    errno = before;
    return fd;
}

static void describe(FILE *stream, int fd)
{
    struct call call;
    if ((settings.layers >> LAYER_STDIO & 1) == 0 && recorder_state == ACTIVE) return;
    descriptor_described(fd);
    if (!call_mark(&call, &function_stream)) return;
    mark(fd);
    put_pointer(&call, stream);
    put_signed(&call, fd);
    call_commit(&call);
}

bool stream_begin(struct call *call, struct function *function, FILE *stream, void *frame)
{
    int fd = stream_descriptor(stream);
    if (UNLIKELY(fd < 0)) return false;
    if (fd < MOST_DESCRIPTORS && UNLIKELY(!is_known(fd))) describe(stream, fd);
    return call_begin_from(call, function, frame);
}

void stream_opened(FILE *stream)
{
    int fd = stream_descriptor(stream);
    descriptor_opened(fd);
    if ((unsigned)fd < MOST_DESCRIPTORS) mark(fd);
}

int stream_closes(FILE *stream)
{
    int fd = stream_descriptor(stream);
    descriptor_closed(fd);
    return fd;
}
