/*
 * Where the program learns that a transfer or a message is complete. A request that is complete is no longer one: its handle
 * has become MPI_REQUEST_NULL. Requests are only looked for when some are outstanding. Waiting is an event (layer MPI), asking
 * again and again whether something is complete is none.
 */
#include "messages.h"

/* How a call tells of what is complete. */
enum statuses { ONE_STATUS, STATUS_OF_EACH };

static bool is_waited_for(void)
{
    return UNLIKELY(__atomic_load_n(&mpi_requests, __ATOMIC_RELAXED) > 0);
}

/* Requests of transfers among those of a call, in the call's order. */
struct claims {
    const struct mpi_library *mpi;
    struct mpi_request *first;
    bool has_reads;
};

static void claim(struct claims *claims, const void *requests, int count, void *caller)
{
    claims->first = NULL;
    claims->has_reads = false;
    claims->mpi = mpi_library(caller);
    // What is no array is the library's to refuse.
    if (claims->mpi == NULL || requests == NULL) return;
    struct mpi_request **last = &claims->first;
    for (int i = 0; i < count; i++) {
        struct mpi_request *request = mpi_request_claim(handle_in(claims->mpi, requests, (size_t)i));
        if (request == NULL) continue;
        request->index = i;
        request->next = NULL;
        claims->has_reads |= request->reads;
        *last = request;
        last = &request->next;
    }
}

/* Bytes moved, by a status that the library filled; without one they are those asked for. */
static int64_t bytes_of(const struct mpi_library *mpi, const struct mpi_request *request, const void *status,
                        int result)
{
    if (status == mpi->no_status || status == NULL) return result == 0 ? request->bytes : 0;
    if (result != 0) {
        int error;
        memcpy(&error, (const uint8_t *)status + mpi->status_error_at, sizeof error);
        if (error != 0) return 0;
    }
    int is_cancelled = 0;
    if (request->is_cancelled && mpi->test_cancelled(status, &is_cancelled) == 0 && is_cancelled) return 0;
    int64_t moved = request->reads ? mpi_status_bytes(mpi, status) : request->bytes;
    return moved < 0 || moved > request->bytes ? request->bytes : moved;
}

static void complete(const struct mpi_library *mpi, struct mpi_request *request, const void *status, int result)
{
    if (request->bytes >= 0) {
        mpi_request_complete(request, bytes_of(mpi, request, status, result));
        return;
    }
    bool is_told = result == 0 && status != mpi->no_status && status != NULL;
    int is_cancelled = 0;
    if (is_told && request->is_cancelled && mpi->test_cancelled(status, &is_cancelled) == 0 && is_cancelled) {
        mpi_request_forget(request);
        return;
    }
    struct message message = {UNKNOWN, UNKNOWN, UNKNOWN};
    if (is_told) message = message_received(mpi, status);
    message_complete(mpi, request, message);
}

static bool is_gone(const struct claims *claims, const struct mpi_request *request, const void *requests)
{
    return handle_in(claims->mpi, requests, (size_t)request->index) == claims->mpi->no_request;
}

static void settle(struct claims *claims, const void *requests, void *statuses, enum statuses shape, int result)
{
    const struct mpi_library *mpi = claims->mpi;
    int error = errno;
    for (struct mpi_request *request = claims->first, *next; request != NULL; request = next) {
        next = request->next;
        uint8_t *status = statuses;
        if (shape == STATUS_OF_EACH && statuses != NULL && statuses != mpi->no_status)
            status += (size_t)request->index * mpi->status_bytes;
        if (is_gone(claims, request, requests)) complete(mpi, request, status, result);
        else mpi_request_release(request);
    }
    errno = error;
}

/* For calls whose statuses are those of the requests that are named; of a call that failed nothing is named for sure. */
static void settle_some(struct claims *claims, const void *requests, int count, const int *completed,
                        const int *indices, void *statuses, int result)
{
    const struct mpi_library *mpi = claims->mpi;
    int error = errno;
    int named = result == 0 && statuses != NULL && statuses != mpi->no_status ? *completed : 0;
    if (named > count) named = 0;
    for (struct mpi_request *request = claims->first, *next; request != NULL; request = next) {
        next = request->next;
        void *status = mpi->no_status;
        for (int i = 0; i < named; i++)
            if (indices[i] == request->index) status = (uint8_t *)statuses + (size_t)i * mpi->status_bytes;
        if (is_gone(claims, request, requests)) complete(mpi, request, status, result);
        else mpi_request_release(request);
    }
    errno = error;
}

/* The status that the library is to fill: one of ours where the program wants none and something is read. */
static void *own_status(const struct claims *claims, void *status, uint64_t *own)
{
    if (!claims->has_reads || status != claims->mpi->no_status) return status;
    memset(own, 0, STATUS_ROOM);
    return own;
}

/* A wait that is recorded: `waited` is the call of the real function. Requests are settled behind its end. */
#define WAITED(result, waited)                                                                                         \
    struct call call;                                                                                                  \
    bool is_recorded = message_begin(&call, function) != NULL;                                                         \
    int result = waited;                                                                                               \
    if (is_recorded) message_waited(&call, result)

BOTH_NAMES_OF(LAYER_MPI, Wait, "x", (void *request, void *status), (request, status))
{
    struct claims claims = {.first = NULL};
    uint64_t own[STATUS_ROOM / 8];
    bool is_looked_for = is_waited_for();
    if (is_looked_for) claim(&claims, request, 1, CALLER);
    void *filled = is_looked_for ? own_status(&claims, status, own) : status;
    WAITED(result, real(request, filled));
    if (is_looked_for) settle(&claims, request, filled, ONE_STATUS, result);
    return result;
}

BOTH_NAMES(Test, "", (void *request, int *is_complete, void *status), (request, is_complete, status))
{
    if (!is_waited_for()) return real(request, is_complete, status);
    struct claims claims;
    uint64_t own[STATUS_ROOM / 8];
    claim(&claims, request, 1, CALLER);
    void *filled = own_status(&claims, status, own);
    int result = real(request, is_complete, filled);
    settle(&claims, request, filled, ONE_STATUS, result);
    return result;
}

BOTH_NAMES_OF(LAYER_MPI, Waitany, "x", (int count, void *requests, int *index, void *status),
              (count, requests, index, status))
{
    struct claims claims = {.first = NULL};
    uint64_t own[STATUS_ROOM / 8];
    bool is_looked_for = is_waited_for();
    if (is_looked_for) claim(&claims, requests, count, CALLER);
    void *filled = is_looked_for ? own_status(&claims, status, own) : status;
    WAITED(result, real(count, requests, index, filled));
    if (is_looked_for) settle(&claims, requests, filled, ONE_STATUS, result);
    return result;
}

BOTH_NAMES(Testany, "", (int count, void *requests, int *index, int *is_complete, void *status),
           (count, requests, index, is_complete, status))
{
    if (!is_waited_for()) return real(count, requests, index, is_complete, status);
    struct claims claims;
    uint64_t own[STATUS_ROOM / 8];
    claim(&claims, requests, count, CALLER);
    void *filled = own_status(&claims, status, own);
    int result = real(count, requests, index, is_complete, filled);
    settle(&claims, requests, filled, ONE_STATUS, result);
    return result;
}

// Where several statuses are ignored the library must not be given some: it would return another code for a failure.

/* `settled` says what became of the requests. */
#define WAITS_FOR_SEVERAL(name, parameters, arguments, settled)                                                        \
    BOTH_NAMES(name, "", parameters, arguments)                                                                        \
    {                                                                                                                  \
        if (!is_waited_for()) return real arguments;                                                                   \
        struct claims claims;                                                                                          \
        claim(&claims, requests, count, CALLER);                                                                       \
        int result = real arguments;                                                                                   \
        settled;                                                                                                       \
        return result;                                                                                                 \
    }                                                                                                                  \
    _Static_assert(1, "")

#define WAITS_LONG_FOR_SEVERAL(name, parameters, arguments, settled)                                                   \
    BOTH_NAMES_OF(LAYER_MPI, name, "x", parameters, arguments)                                                         \
    {                                                                                                                  \
        struct claims claims = {.first = NULL};                                                                        \
        bool is_looked_for = is_waited_for();                                                                          \
        if (is_looked_for) claim(&claims, requests, count, CALLER);                                                    \
        WAITED(result, real arguments);                                                                                \
        if (is_looked_for) settled;                                                                                    \
        return result;                                                                                                 \
    }                                                                                                                  \
    _Static_assert(1, "")

WAITS_LONG_FOR_SEVERAL(Waitall, (int count, void *requests, void *statuses), (count, requests, statuses),
                       settle(&claims, requests, statuses, STATUS_OF_EACH, result));
WAITS_FOR_SEVERAL(Testall, (int count, void *requests, int *is_complete, void *statuses),
                  (count, requests, is_complete, statuses), settle(&claims, requests, statuses, STATUS_OF_EACH, result));
WAITS_LONG_FOR_SEVERAL(Waitsome, (int count, void *requests, int *completed, int *indices, void *statuses),
                       (count, requests, completed, indices, statuses),
                       settle_some(&claims, requests, count, completed, indices, statuses, result));
WAITS_FOR_SEVERAL(Testsome, (int count, void *requests, int *completed, int *indices, void *statuses),
                  (count, requests, completed, indices, statuses),
                  settle_some(&claims, requests, count, completed, indices, statuses, result));

/* ---- without taking the request away ---- */

BOTH_NAMES(Request_get_status, "", (uintptr_t request, int *is_complete, void *status), (request, is_complete, status))
{
    const struct mpi_library *mpi = is_waited_for() ? mpi_library(CALLER) : NULL;
    struct mpi_request *known = mpi == NULL ? NULL : mpi_request_claim(handle_of(mpi, request));
    int result = real(request, is_complete, status);
    if (known == NULL) return result;
    int error = errno;
    if (result == 0 && *is_complete) complete(mpi, known, status, result);
    else mpi_request_release(known);
    errno = error;
    return result;
}

BOTH_NAMES(Request_free, "", (void *request), (request))
{
    const struct mpi_library *mpi = is_waited_for() ? mpi_library(CALLER) : NULL;
    struct mpi_request *known = mpi == NULL || request == NULL ? NULL : mpi_request_claim(handle_at(mpi, request));
    int result = real(request);
    if (known == NULL) return result;
    if (result == 0) mpi_request_forget(known);
    else mpi_request_release(known);
    return result;
}

BOTH_NAMES(Cancel, "", (void *request), (request))
{
    const struct mpi_library *mpi = is_waited_for() ? mpi_library(CALLER) : NULL;
    struct mpi_request *known = mpi == NULL || request == NULL ? NULL : mpi_request_claim(handle_at(mpi, request));
    if (known != NULL) {
        known->is_cancelled = true;
        mpi_request_release(known);
    }
    return real(request);
}
