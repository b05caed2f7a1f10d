/*
 * The layer POSIX: Linux AIO, by libaio or by `syscall`. Requests are handed over in lists of control blocks, and their
 * results are fetched later.
 */
#include "requests.h"
#include "../machine/memory.h"
#include "../wrapper.h"
#include <sys/uio.h>

static struct function function_complete = {.layer = LAYER_RECORDER, .roles = "qb", .name = "complete"};
static struct function function_request_read = {.layer = LAYER_POSIX, .roles = "fnoqr", .name = "aio_read"};
static struct function function_request_write = {.layer = LAYER_POSIX, .roles = "fnoqr", .name = "aio_write"};
static struct function function_request_sync = {.layer = LAYER_POSIX, .roles = "fkqr", .name = "aio_fsync"};

WRAPPED(io_submit, "io_submit", LAYER_POSIX, "io_submit", "vr");
WRAPPED(io_getevents, "io_getevents", LAYER_POSIX, "io_getevents", "vr");
WRAPPED(io_pgetevents, "io_pgetevents", LAYER_POSIX, "io_pgetevents", "vr");

__thread void *library_frame;

/* All return the negative number of the error. */
static void put_kernel_result(struct call *call, long result)
{
    put_signed(call, result < 0 ? -1 : result);
    if (result < 0) put(call, (uint64_t)-result);
}

static struct function *function_of(const struct iocb *request)
{
    switch (request->aio_lio_opcode) {
    case IOCB_CMD_PREAD:
    case IOCB_CMD_PREADV: return &function_request_read;
    case IOCB_CMD_PWRITE:
    case IOCB_CMD_PWRITEV: return &function_request_write;
    case IOCB_CMD_FSYNC:
    case IOCB_CMD_FDSYNC: return &function_request_sync;
    default: return NULL;
    }
}

/* The kernel has read the list of a request that it took. */
static uint64_t bytes_of(const struct iocb *request)
{
    if (request->aio_lio_opcode != IOCB_CMD_PREADV && request->aio_lio_opcode != IOCB_CMD_PWRITEV) return request->aio_nbytes;
    const struct iovec *part = (const struct iovec *)(uintptr_t)request->aio_buf;
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < request->aio_nbytes; i++) bytes += part[i].iov_len;
    return bytes;
}

/* One that was taken: as if it had been begun alone when the list was. */
static void put_request(const struct call *list, const struct iocb *request)
{
    struct call call = *list;
    call.function = function_of(request);
    if (call.function == NULL) return;
    call.at = call.arguments;
    call.end = call.start;
    PUT_SIGNED((int)request->aio_fildes)
    if (call.function == &function_request_sync) PUT_FLAGS(request->aio_lio_opcode == IOCB_CMD_FDSYNC)
    else {
        PUT(bytes_of(request))
        PUT_SIGNED(request->aio_offset)
    }
    put_pointer(&call, request);
    put_kernel_result(&call, 0);
    call_commit(&call);
}

/* The kernel has not looked at the list yet: whether all of it is there, nobody knows. */
static void describe_descriptors(long count, struct iocb *const *requests)
{
    struct readable list = {0, 0}, blocks = {0, 0};
    for (long i = 0; i < count; i++) {
        uintptr_t block, word;
        if (!memory_read_page((uintptr_t)(requests + i), &list, &block)) return;
        uintptr_t at = block + offsetof(struct iocb, aio_fildes);
        if (!memory_read_page(at & ~(sizeof word - 1), &blocks, &word)) return;
        descriptor_described((int)(at % sizeof word == 0 ? word : word >> 32));
    }
}

bool requests_begin(struct call *call, long count, struct iocb *const *requests, void *frame)
{
    if (is_in_library(frame)) return false;
    describe_descriptors(count, requests);
    return call_begin_from(call, &function_io_submit, frame);
}

void requests_end(struct call *call, long count, struct iocb *const *requests, long result)
{
    if (!call_end(call)) return;
    for (long i = 0; i < result; i++) put_request(call, requests[i]);
    put_signed(call, count);
    put_kernel_result(call, result);
    call_commit(call);
}

bool completions_begin(struct call *call, void *frame)
{
    return !is_in_library(frame) && call_begin_from(call, &function_io_getevents, frame);
}

void completions_end(struct call *call, long least, const struct io_event *completions, long result)
{
    if (!call_end(call)) return;
    put_signed(call, least);
    put_kernel_result(call, result);
    call_commit(call);
    for (long i = 0; i < result; i++) {
        struct call each;
        if (!call_mark(&each, &function_complete)) return;
        put_pointer(&each, (const void *)(uintptr_t)completions[i].obj);
        put(&each, completions[i].res < 0 ? 0 : (uint64_t)completions[i].res);
        call_commit(&each);
    }
}

DECLARED(int, io_submit, (void *context, long count, struct iocb *const *requests));
EXPORTED int recorded_io_submit(void *context, long count, struct iocb *const *requests)
{
    int (*real)(void *, long, struct iocb *const *) = (int (*)(void *, long, struct iocb *const *))REAL_OF(io_submit);
    struct call call;
    if (!requests_begin(&call, count, requests, __builtin_frame_address(0))) return real(context, count, requests);
    library_frame = call.frame;
    int result = real(context, count, requests);
    library_frame = NULL;
    requests_end(&call, count, requests, result);
    return result;
}

DECLARED(int, io_getevents, (void *context, long least, long most, struct io_event *completions, struct timespec *limit));
EXPORTED int recorded_io_getevents(void *context, long least, long most, struct io_event *completions, struct timespec *limit)
{
    int (*real)(void *, long, long, struct io_event *, struct timespec *) =
        (int (*)(void *, long, long, struct io_event *, struct timespec *))REAL_OF(io_getevents);
    struct call call;
    if (!completions_begin(&call, __builtin_frame_address(0))) return real(context, least, most, completions, limit);
    library_frame = call.frame;
    int result = real(context, least, most, completions, limit);
    library_frame = NULL;
    completions_end(&call, least, completions, result);
    return result;
}

DECLARED(int, io_pgetevents,
         (void *context, long least, long most, struct io_event *completions, struct timespec *limit, void *signals));
EXPORTED int recorded_io_pgetevents(void *context, long least, long most, struct io_event *completions, struct timespec *limit,
                                    void *signals)
{
    int (*real)(void *, long, long, struct io_event *, struct timespec *, void *) =
        (int (*)(void *, long, long, struct io_event *, struct timespec *, void *))REAL_OF(io_pgetevents);
    struct call call;
    if (!call_begin(&call, &function_io_pgetevents)) return real(context, least, most, completions, limit, signals);
    library_frame = call.frame;
    int result = real(context, least, most, completions, limit, signals);
    library_frame = NULL;
    completions_end(&call, least, completions, result);
    return result;
}
