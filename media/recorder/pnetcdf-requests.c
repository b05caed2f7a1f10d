/* The layer PnetCDF: transfers that were begun, and the calls that wait for them. */
#include "pnetcdf.h"

/* More that are under way at once are recorded as begun only. */
#define MOST_PENDING 4096u
#define PROBES 16

/* NC_REQ_ALL, NC_GET_REQ_ALL, NC_PUT_REQ_ALL in place of a count; NC_REQ_NULL in place of a request. */
enum { ALL_REQUESTS = -1, ALL_READS = -2, ALL_WRITES = -3, NO_REQUEST = -1 };

struct pending {
    /* In the recording; 0: the place is free. */
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
/* Above the numbers of MPI's requests. */
static uint64_t last_number = (uint64_t)1 << 32;
static const uint64_t TAKEN = 1;

FUNCTION(complete, LAYER_RECORDER, "qb");

static void mark_complete(uint64_t number, uint64_t bytes)
{
    struct call call;
    if (!call_mark(&call, &function_complete)) return;
    put(&call, number);
    put(&call, bytes);
    call_commit(&call);
}

static uint32_t place(uint64_t file, int request, uint32_t probe)
{
    return ((uint32_t)request + (uint32_t)file * 0x9e3779b1u + probe) & (MOST_PENDING - 1);
}

static void remember(uint64_t number, uint64_t file, int request, enum direction direction, uint64_t bytes)
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
        __atomic_store_n(&entry->number, number, __ATOMIC_RELEASE);
        __atomic_fetch_add(&pending_count, 1, __ATOMIC_RELAXED);
        return;
    }
}

void pnetcdf_begun(struct call *call, const struct library *library, int file, int variable, uint64_t bytes,
                   enum direction direction, const int *request, int result)
{
    uint64_t number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
    uint64_t handle = netcdf_handle(library, file);
    int given = result == 0 && request != NULL ? *request : NO_REQUEST;
    struct questions questions = questions_begin();
    put(call, handle);
    put_variable(call, library, file, variable);
    put(call, result == 0 ? bytes : 0);
    put(call, number);
    put_signed(call, result);
    questions_end(questions);
    call_commit(call);
    // Without a request there is nothing to wait for: nothing was selected.
    if (given != NO_REQUEST) remember(number, handle, given, direction, bytes);
    else if (result == 0) mark_complete(number, bytes);
}

/* ---- waiting ---- */

static bool is_waited_for(const struct pending *entry, uint64_t file, int count)
{
    if (__atomic_load_n(&entry->number, __ATOMIC_ACQUIRE) <= TAKEN || entry->file != file) return false;
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
        if (number <= TAKEN) continue;
        left--;
        if (entry->waiter != call) continue;
        uint64_t bytes = is_cancelled ? 0 : entry->bytes;
        __atomic_fetch_sub(&pending_count, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&entry->number, 0, __ATOMIC_RELEASE);
        mark_complete(number, bytes);
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
