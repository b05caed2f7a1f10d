/* The layer POSIX: transfers that are begun by one call and asked for by another. The request is its control block. */
#include "../wrapper.h"
#include <aio.h>

static struct function function_complete = {.layer = LAYER_RECORDER, .roles = "qb", .name = "complete"};

/* The control block is the program's as long as the transfer lasts: it may be read, whatever became of the call. */
#define PUT_REQUEST()                                                                                                  \
    PUT_SIGNED(request->aio_fildes) PUT(request->aio_nbytes) PUT_SIGNED(request->aio_offset)                           \
    put_pointer(&call, request); PUT_RESULT()

AT_DESCRIPTOR(int, aio_read, "aio_read", "fnoqr", (struct aiocb *request), (request), request->aio_fildes, PUT_REQUEST());
ALIAS(aio_read64, aio_read);
AT_DESCRIPTOR(int, aio_write, "aio_write", "fnoqr", (struct aiocb *request), (request), request->aio_fildes, PUT_REQUEST());
ALIAS(aio_write64, aio_write);
AT_DESCRIPTOR(int, aio_fsync, "aio_fsync", "fkqr", (int kind, struct aiocb *request), (kind, request), request->aio_fildes,
              PUT_SIGNED(request->aio_fildes) PUT_FLAGS(kind) put_pointer(&call, request); PUT_RESULT());
ALIAS(aio_fsync64, aio_fsync);

/* Waiting for one of several. */
AT_PATH(int, aio_suspend, "aio_suspend", "vr",
        (const struct aiocb *const requests[], int count, const struct timespec *most), (requests, count, most),
        PUT_SIGNED(count) PUT_RESULT());
ALIAS(aio_suspend64, aio_suspend);

WRAPPED(aio_return, "aio_return", LAYER_POSIX, "aio_return", "");
DECLARED(ssize_t, aio_return, (struct aiocb *request));
EXPORTED ssize_t recorded_aio_return(struct aiocb *request)
{
    ssize_t (*real)(struct aiocb *) = (ssize_t(*)(struct aiocb *))REAL_OF(aio_return);
    ssize_t result = real(request);
    struct call call;
    if ((settings.layers >> LAYER_POSIX & 1) != 0 && call_mark(&call, &function_complete)) {
        put_pointer(&call, request);
        PUT(result < 0 ? 0 : result)
        call_commit(&call);
    }
    return result;
}
ALIAS(aio_return64, aio_return);

WRAPPED(lio_listio, "lio_listio", LAYER_POSIX, "lio_listio", "kvr");
static struct function function_list_read = {.layer = LAYER_POSIX, .roles = "fnoqr", .name = "aio_read"};
static struct function function_list_write = {.layer = LAYER_POSIX, .roles = "fnoqr", .name = "aio_write"};

/* A transfer of the list: as if it had been begun alone when the list was. */
static void put_of_list(const struct call *list, const struct aiocb *request)
{
    struct call call = *list;
    if (request == NULL || (request->aio_lio_opcode != LIO_READ && request->aio_lio_opcode != LIO_WRITE)) return;
    call.function = request->aio_lio_opcode == LIO_READ ? &function_list_read : &function_list_write;
    call.at = call.arguments;
    call.end = call.start;
    int result = 0;
    PUT_REQUEST()
    call_commit(&call);
}

DECLARED(int, lio_listio, (int mode, struct aiocb *const list[], int count, struct sigevent *event));
EXPORTED int recorded_lio_listio(int mode, struct aiocb *const list[], int count, struct sigevent *event)
{
    int (*real)(int, struct aiocb *const[], int, struct sigevent *) =
        (int (*)(int, struct aiocb *const[], int, struct sigevent *))REAL_OF(lio_listio);
    for (int i = 0; i < count; i++)
        if (list[i] != NULL && list[i]->aio_lio_opcode != LIO_NOP) descriptor_described(list[i]->aio_fildes);
    struct call call;
    bool is_recorded = call_begin(&call, &function_lio_listio);
    int result = real(mode, list, count, event);
    if (is_recorded && call_end(&call)) {
        // EIO and EAGAIN: some of them were begun.
        if (result == 0 || call.error == EIO || call.error == EAGAIN)
            for (int i = 0; i < count; i++) put_of_list(&call, list[i]);
        PUT_FLAGS(mode) PUT_SIGNED(count) PUT_RESULT()
        call_commit(&call);
    }
    return result;
}
ALIAS(lio_listio64, lio_listio);
