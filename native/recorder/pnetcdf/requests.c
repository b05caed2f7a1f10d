/* The layer PnetCDF: transfers that were begun, and the calls that wait for them. */
#include "../mpi/requests.h"
#include "pnetcdf.h"

/* More that are under way at once are recorded as begun only. */
#define MOST_PENDING 4096u
#define PROBES 16

/* NC_REQ_ALL, NC_GET_REQ_ALL, NC_PUT_REQ_ALL in place of a count; NC_REQ_NULL in place of a request. */
enum { ALL_REQUESTS = -1, ALL_READS = -2, ALL_WRITES = -3, NO_REQUEST = -1 };

struct pending {
    /* In the recording; 0: the place is free, the highest: it is being filled. */
    uint64_t number;
    uint64_t file;
    int request;
    enum direction direction;
    uint64_t bytes;
    /* The call that waits for it. */
    const struct call *waiter;
};

static struct pending pending[MOST_PENDING];
static uint32_t pending_count;
static const uint64_t TAKEN = UINT64_MAX;

static bool is_filled(uint64_t number)
{
    return number != 0 && number != TAKEN;
}

static uint32_t place(uint64_t file, int request, uint32_t probe)
{
    return ((uint32_t)request + (uint32_t)file * 0x9e3779b1u + probe) & (MOST_PENDING - 1);
}

/* The number of a transfer that is begun; 0 when there is no room for it: its completion will not be seen. */
static uint64_t remember(uint64_t file, int request, enum direction direction, uint64_t bytes)
{
    for (uint32_t probe = 0; probe < PROBES; probe++) {
        struct pending *entry = &pending[place(file, request, probe)];
        uint64_t expected = 0;
        if (!__atomic_compare_exchange_n(&entry->number, &expected, TAKEN, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) continue;
        entry->file = file;
        entry->request = request;
        entry->direction = direction;
        entry->bytes = bytes;
        entry->waiter = NULL;
        uint64_t number = new_request_number();
        __atomic_store_n(&entry->number, number, __ATOMIC_RELEASE);
        __atomic_fetch_add(&pending_count, 1, __ATOMIC_RELAXED);
        return number;
    }
    return 0;
}

void pnetcdf_begun(struct call *call, const struct library *library, int file, int variable, uint64_t bytes,
                   enum direction direction, const int *request, int result)
{
    uint64_t handle = netcdf_handle(library, file);
    uint64_t number = 0;
    bool is_complete = false;
    if (result == 0 && request != NULL && *request != NO_REQUEST) number = remember(handle, *request, direction, bytes);
    else if (result == 0) {
        // Nothing was selected, or the program gives the transfer no name: it is not told when it is made.
        number = new_request_number();
        is_complete = true;
    }
    struct questions questions = questions_begin();
    put(call, handle);
    put_variable(call, library, file, variable);
    put(call, result == 0 ? bytes : 0);
    put(call, number);
    put_signed(call, result);
    questions_end(questions);
    call_commit(call);
    if (is_complete) mark_complete(number, (int64_t)bytes);
}

/* ---- waiting ---- */

static bool is_waited_for(const struct pending *entry, uint64_t file, int count)
{
    if (!is_filled(__atomic_load_n(&entry->number, __ATOMIC_ACQUIRE)) || entry->file != file) return false;
    return count == ALL_REQUESTS || (count == ALL_READS ? entry->direction == READS : entry->direction == WRITES);
}

/* Requests are numbers that the library overwrites when it has completed them: theirs are noted before. */
static void wait_begins(const struct call *call, uint64_t file, int count, const int *requests)
{
    if (pending_count == 0) return;
    if (count < 0)
        for (uint32_t i = 0; i < MOST_PENDING; i++)
            if (is_waited_for(&pending[i], file, count)) pending[i].waiter = call;
    for (int i = 0; i < count && requests != NULL; i++)
        for (uint32_t probe = 0; probe < PROBES; probe++) {
            struct pending *entry = &pending[place(file, requests[i], probe)];
            if (is_waited_for(entry, file, ALL_REQUESTS) && entry->request == requests[i]) entry->waiter = call;
        }
}

static void wait_ended(const struct call *call, bool is_cancelled)
{
    for (uint32_t i = 0, left = pending_count; i < MOST_PENDING && left > 0; i++) {
        struct pending *entry = &pending[i];
        uint64_t number = __atomic_load_n(&entry->number, __ATOMIC_ACQUIRE);
        if (!is_filled(number)) continue;
        left--;
        if (entry->waiter != call) continue;
        uint64_t bytes = is_cancelled ? 0 : entry->bytes;
        __atomic_fetch_sub(&pending_count, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&entry->number, 0, __ATOMIC_RELEASE);
        mark_complete(number, (int64_t)bytes);
    }
}

#define WAITS(name, is_cancelled)                                                                                      \
    FUNCTION(name, LAYER_PNETCDF, "hx");                                                                               \
    EXPORTED int name(int file, int count, int *requests, int *statuses)                                               \
    {                                                                                                                  \
        LINKED(name);                                                                                                  \
        struct call call;                                                                                              \
        if (!call_begin(&call, &function_##name)) return real(file, count, requests, statuses);                        \
        wait_begins(&call, netcdf_handle(site->library, file), count, requests);                                       \
        int result = real(file, count, requests, statuses);                                                            \
        netcdf_done(&call, site->library, file, result);                                                               \
        wait_ended(&call, is_cancelled);                                                                               \
        return result;                                                                                                 \
    }

WAITS(ncmpi_wait, false)
WAITS(ncmpi_wait_all, false)
WAITS(ncmpi_cancel, true)
