/*
 * Descriptors that the process was not seen to open: standard input and output, those that it inherited or was sent, and
 * those that libraries opened inside of themselves. What the kernel says of one is written down when it is first used.
 */
#include "../recorder.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

uint64_t known_descriptors[MOST_DESCRIPTORS / 64];

FUNCTION(descriptor, LAYER_RECORDER, "fpol");

static bool mark(int fd)
{
    uint64_t bit = (uint64_t)1 << (fd & 63);
    return (__atomic_fetch_or(&known_descriptors[fd >> 6], bit, __ATOMIC_RELAXED) & bit) != 0;
}

void describe_descriptor(int fd)
{
    struct call call;
    if ((settings.layers >> LAYER_POSIX & 1) == 0 && (settings.layers >> LAYER_STDIO & 1) == 0 && recorder_state == ACTIVE) return;
    if (!call_mark(&call, &function_descriptor)) return;
    if (UNLIKELY(events_ended_at != 0)) {
        mark(fd);
        return;
    }
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    uint32_t path = 0;
    long flags = kernel_status_flags(fd);
    // It is not open: a call will say so, and the number may come to life later.
    if (flags == -EBADF) return;
    // Without /proc there is no path.
    link_number(link, &path);
    if (mark(fd)) return;
    long position = kernel_seek(fd, 0, SEEK_CUR);
    put_signed(&call, fd);
    put(&call, path);
    put_signed(&call, position < 0 ? -1 : position);
    put(&call, flags < 0 ? 0 : (uint64_t)flags);
    call_commit(&call);
}

void descriptor_opened(int fd)
{
    if ((unsigned)fd < MOST_DESCRIPTORS) mark(fd);
}

void descriptor_closed(int fd)
{
    if ((unsigned)fd >= MOST_DESCRIPTORS) return;
    uint64_t others = ~((uint64_t)1 << (fd & 63));
    __atomic_fetch_and(&known_descriptors[fd >> 6], others, __ATOMIC_RELAXED);
    __atomic_fetch_and(&known_streams[fd >> 6], others, __ATOMIC_RELAXED);
}

void descriptors_closed(unsigned first, unsigned last)
{
    if (last >= MOST_DESCRIPTORS) last = MOST_DESCRIPTORS - 1;
    for (unsigned fd = first; fd <= last; fd++) {
        // Most are none: programs close all that there might be.
        if ((fd & 63) == 0 && known_descriptors[fd >> 6] == 0 && known_streams[fd >> 6] == 0) fd += 63;
        else descriptor_closed((int)fd);
    }
}

void descriptors_forget(void)
{
    memset(known_descriptors, 0, MOST_DESCRIPTORS / 8);
    memset(known_streams, 0, MOST_DESCRIPTORS / 8);
}
