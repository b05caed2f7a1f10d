/*
 * The layer POSIX: Linux AIO, by libaio or by `syscall`. Requests are handed over in lists of control blocks, and their
 * results are fetched later.
 */
#include "requests.h"
#include "../machine/memory.h"
#include "../wrapper.h"
#include <limits.h>
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

static struct function *function_of(unsigned operation)
{
    switch (operation) {
    case IOCB_CMD_PREAD:
    case IOCB_CMD_PREADV: return &function_request_read;
    case IOCB_CMD_PWRITE:
    case IOCB_CMD_PWRITEV: return &function_request_write;
    case IOCB_CMD_FSYNC:
    case IOCB_CMD_FDSYNC: return &function_request_sync;
    default: return NULL;
    }
}

/* What is read of a list, of the blocks that it names, and of their lists of buffers: each lies on pages of its own. */
struct pages {
    struct readable list;
    struct readable blocks;
    struct readable buffers;
};

/* Without stacks nobody has found out yet how to ask whether memory is there. */
static void pages_begin(void)
{
    static bool is_done;
    if (!__atomic_exchange_n(&is_done, true, __ATOMIC_RELAXED)) memory_begin();
}

static bool word_at(uintptr_t address, struct readable *pages, uintptr_t *word)
{
    return address % sizeof *word == 0 && memory_read_page(address, pages, word);
}

static bool add_buffers(struct request *request, uintptr_t buffers, struct pages *pages)
{
    uintptr_t bytes;
    // The kernel takes no longer list.
    if (request->bytes > IOV_MAX) return false;
    for (uint64_t parts = request->bytes, i = request->bytes = 0; i < parts; i++) {
        uintptr_t at = buffers + i * sizeof(struct iovec) + offsetof(struct iovec, iov_len);
        if (!word_at(at, &pages->buffers, &bytes)) return false;
        request->bytes += bytes;
    }
    return true;
}

/* Nobody knows whether all of it is there: before the call the kernel has not looked, and behind it it may have been freed. */
static bool read_request(struct iocb *const *listed, struct pages *pages, struct request *request)
{
    uintptr_t block, kind, buffers, bytes, offset;
    if (!word_at((uintptr_t)listed, &pages->list, &block)) return false;
    if (!word_at(block + offsetof(struct iocb, aio_lio_opcode), &pages->blocks, &kind)) return false;
    if (!word_at(block + offsetof(struct iocb, aio_buf), &pages->blocks, &buffers)) return false;
    if (!word_at(block + offsetof(struct iocb, aio_nbytes), &pages->blocks, &bytes)) return false;
    if (!word_at(block + offsetof(struct iocb, aio_offset), &pages->blocks, &offset)) return false;
    *request = (struct request){(const struct iocb *)block, (int)(kind >> 32), kind & 0xffff, bytes, (int64_t)offset};
    bool has_list = request->operation == IOCB_CMD_PREADV || request->operation == IOCB_CMD_PWRITEV;
    return !has_list || add_buffers(request, buffers, pages);
}
_Static_assert(offsetof(struct iocb, aio_lio_opcode) % 8 == 0, "the operation and the descriptor share a word");
_Static_assert(offsetof(struct iocb, aio_fildes) == offsetof(struct iocb, aio_lio_opcode) + 4, "the descriptor is its end");

/* One that was taken: as if it had been begun alone when the list was. */
static void put_request(const struct call *list, const struct request *request)
{
    struct call call = *list;
    call.function = function_of(request->operation);
    if (call.function == NULL) return;
    call.at = call.arguments;
    call.end = call.start;
    PUT_SIGNED(request->fd)
    if (call.function == &function_request_sync) PUT_FLAGS(request->operation == IOCB_CMD_FDSYNC)
    else {
        PUT(request->bytes)
        PUT_SIGNED(request->offset)
    }
    put_pointer(&call, request->block);
    put_kernel_result(&call, 0);
    call_commit(&call);
}

bool requests_begin(struct call *call, struct requests *requests, long count, struct iocb *const *list, void *frame)
{
    if (is_in_library(frame)) return false;
    pages_begin();
    struct pages pages = {{0, 0}, {0, 0}, {0, 0}};
    struct request further;
    requests->count = count;
    requests->looked_at = 0;
    requests->list = list;
    for (long i = 0; i < count; i++) {
        struct request *request = i < MOST_REQUESTS ? requests->first + i : &further;
        // The kernel does not come further either.
        if (!read_request(list + i, &pages, request)) break;
        descriptor_described(request->fd);
        if (i < MOST_REQUESTS) requests->looked_at = i + 1;
    }
    return call_begin_from(call, &function_io_submit, frame);
}

void requests_end(struct call *call, const struct requests *requests, long result)
{
    if (!call_end(call)) return;
    struct pages pages = {{0, 0}, {0, 0}, {0, 0}};
    struct request further;
    for (long i = 0; i < result; i++)
        if (i < requests->looked_at) put_request(call, requests->first + i);
        else if (read_request(requests->list + i, &pages, &further)) put_request(call, &further);
    put_signed(call, requests->count);
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
    struct requests looked;
    if (!requests_begin(&call, &looked, count, requests, __builtin_frame_address(0))) return real(context, count, requests);
    library_frame = call.frame;
    int result = real(context, count, requests);
    library_frame = NULL;
    requests_end(&call, &looked, result);
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
