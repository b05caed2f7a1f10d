#include "requests.h"
#include "handles.h"

HANDLE_TABLE(requests, struct mpi_request, 32768);
int mpi_requests;
static uint64_t last;

FUNCTION(complete, LAYER_RECORDER, "qb");

void mark_complete(uint64_t number, int64_t bytes)
{
    struct call call;
    if (!call_mark(&call, &function_complete)) return;
    put(&call, number);
    put(&call, bytes < 0 ? 0 : (uint64_t)bytes);
    call_commit(&call);
}

uint64_t new_request_number(void)
{
    return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

uint64_t mpi_request_begun(uintptr_t handle, int64_t bytes, bool reads)
{
    struct mpi_request *request = handle_add(&requests, handle);
    if (request == NULL) return 0;
    uint64_t number = request->number = new_request_number();
    request->bytes = bytes;
    request->reads = reads;
    handle_publish(request, handle);
    __atomic_fetch_add(&mpi_requests, 1, __ATOMIC_RELAXED);
    return number;
}

struct mpi_request *mpi_request_claim(uintptr_t handle)
{
    struct mpi_request *request = NULL;
    while ((request = handle_find(&requests, handle, request)) != NULL) {
        if (__atomic_exchange_n(&request->is_claimed, 1, __ATOMIC_ACQUIRE)) continue;
        if (__atomic_load_n(&request->handle, __ATOMIC_RELAXED) == handle) return request;
        mpi_request_release(request);
    }
    return NULL;
}

void mpi_request_release(struct mpi_request *request)
{
    __atomic_store_n(&request->is_claimed, 0, __ATOMIC_RELEASE);
}

static void take_out(struct mpi_request *request)
{
    handle_remove(request);
    __atomic_fetch_sub(&mpi_requests, 1, __ATOMIC_RELAXED);
}

void mpi_request_complete(struct mpi_request *request, int64_t bytes)
{
    uint64_t number = request->number;
    take_out(request);
    mark_complete(number, bytes);
}

void mpi_request_forget(struct mpi_request *request)
{
    take_out(request);
}
