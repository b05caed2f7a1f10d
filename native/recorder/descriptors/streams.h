/* What wrappers of the layer STDIO share. */
#ifndef IOLENS_STREAMS_H
#define IOLENS_STREAMS_H

#include "../wrapper.h"
#include <stdio.h>

/*
 * Begins a call on a stream; one that the process was not seen to open is described first. False when the call is not
 * recorded: streams without a descriptor are memory (fmemopen), or what a program makes of them by functions of its own.
 */
bool stream_begin(struct call *call, struct function *function, FILE *stream, void *frame);
/* The descriptor below, -1 when there is none; errno stays. */
int stream_descriptor(FILE *stream);
/* The process was seen to open a stream: it and its descriptor need no description. */
void stream_opened(FILE *stream);
/* In front of what closes it. Returns its descriptor. */
int stream_closes(FILE *stream);

/* The bytes that moved, 0 at the end of the file, -1 when the call failed. */
static inline int64_t moved(FILE *stream, size_t bytes, bool failed)
{
    if (bytes > 0 || !failed) return (int64_t)bytes;
    return feof(stream) && !ferror(stream) ? 0 : -1;
}

/* A function that works on a stream. */
#define ON_STREAM(type, symbol, recorded, roles, parameters, arguments, stream, ...)                                   \
    WRAPPER(LAYER_STDIO, type, symbol, recorded, roles, parameters, arguments,                                         \
            stream_begin(&call, &function_##symbol, stream, __builtin_frame_address(0)), __VA_ARGS__)

#define PUT_STREAM(stream) put_pointer(&call, stream);
#define PUT_MOVED(stream, bytes, failed) put_result(&call, moved(stream, bytes, failed));

#endif
