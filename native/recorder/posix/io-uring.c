/*
 * The layer POSIX: io_uring, by liburing. Requests are written into a ring and their results are read from another, both by
 * the program itself: only handing over and waiting are calls.
 */
#include "requests.h"
#include "../wrapper.h"

struct io_uring;
struct io_uring_cqe;

static bool ring_begin(struct call *call, struct function *function, void *frame)
{
    if (is_in_library(frame) || !call_begin_from(call, function, frame)) return false;
    library_frame = frame;
    return true;
}

static void ring_end(struct call *call, int64_t value, int result)
{
    library_frame = NULL;
    put_signed(call, value);
    put_signed(call, result < 0 ? -1 : result);
    if (result < 0) put(call, (uint64_t)-(int64_t)result);
}

/* A function of liburing, which returns the negative number of the error. `value` is how many results it waits for. */
#define AT_RING(symbol, recorded, parameters, arguments, value)                                                        \
    WRAPPER(LAYER_POSIX, int, symbol, recorded, "vr", parameters, arguments,                                           \
            ring_begin(&call, &function_##symbol, __builtin_frame_address(0)), ring_end(&call, value, result);)

AT_RING(io_uring_submit, "io_uring_submit", (struct io_uring *ring), (ring), 0);
AT_RING(io_uring_submit_and_wait, "io_uring_submit_and_wait", (struct io_uring *ring, unsigned least), (ring, least), least);
AT_RING(io_uring_submit_and_wait_timeout, "io_uring_submit_and_wait_timeout",
        (struct io_uring *ring, struct io_uring_cqe **results, unsigned least, void *limit, void *signals),
        (ring, results, least, limit, signals), least);
AT_RING(io_uring_submit_and_get_events, "io_uring_submit_and_get_events", (struct io_uring *ring), (ring), 0);
AT_RING(io_uring_get_events, "io_uring_get_events", (struct io_uring *ring), (ring), 0);
AT_RING(io_uring_wait_cqes, "io_uring_wait_cqes",
        (struct io_uring *ring, struct io_uring_cqe **results, unsigned least, void *limit, void *signals),
        (ring, results, least, limit, signals), least);
AT_RING(io_uring_wait_cqe_timeout, "io_uring_wait_cqe_timeout",
        (struct io_uring *ring, struct io_uring_cqe **results, void *limit), (ring, results, limit), 1);
/* What io_uring_wait_cqe and its like, which are compiled into the program, call where there is no result yet. */
AT_RING(__io_uring_get_cqe, "io_uring_wait_cqe",
        (struct io_uring *ring, struct io_uring_cqe **results, unsigned requests, unsigned least, void *signals),
        (ring, results, requests, least, signals), least);
