/* Requests of Linux AIO and io_uring, which programs make by libaio and liburing, or by `syscall`. */
#ifndef IOLENS_REQUESTS_H
#define IOLENS_REQUESTS_H

#include "../recorder.h"
#include <linux/aio_abi.h>

/* A function of these libraries that is under way: what it asks of the kernel is part of it. A jump may have left it. */
extern __thread void *library_frame;

static inline bool is_in_library(void *frame)
{
    return library_frame != NULL && (uintptr_t)frame < (uintptr_t)library_frame;
}

/* A request of Linux AIO. The block tells which one it is, and may be gone: another thread may have fetched its result. */
struct request {
    const struct iocb *block;
    int fd;
    unsigned operation;
    uint64_t bytes;
    int64_t offset;
};

/* As many of a list are looked at before they are handed over; of further ones as soon as they were. */
#define MOST_REQUESTS 32

struct requests {
    long count;
    /* Of `first`, those that could be read. */
    long looked_at;
    struct iocb *const *list;
    struct request first[MOST_REQUESTS];
};

/* Around a call of Linux AIO that hands over requests. The result is the kernel's: negative, the number of an error. */
bool requests_begin(struct call *call, struct requests *requests, long count, struct iocb *const *list, void *frame);
void requests_end(struct call *call, const struct requests *requests, long result);

/* Around one that fetches results, and waits for at least so many. */
bool completions_begin(struct call *call, void *frame);
void completions_end(struct call *call, long least, const struct io_event *completions, long result);

#endif
