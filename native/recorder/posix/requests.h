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

/* Around a call of Linux AIO that hands over requests. The result is the kernel's: negative, the number of an error. */
bool requests_begin(struct call *call, long count, struct iocb *const *requests, void *frame);
void requests_end(struct call *call, long count, struct iocb *const *requests, long result);

/* Around one that fetches results, and waits for at least so many. */
bool completions_begin(struct call *call, void *frame);
void completions_end(struct call *call, long least, const struct io_event *completions, long result);

#endif
