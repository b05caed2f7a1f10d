#include "communicators.h"
#include "handles.h"

/* Ranks that the library is asked for at a time. */
#define RANKS_AT_ONCE 256
/* What is listed of a communicator; beyond it only the number of its processes is known. */
#define MOST_RUNS 256
#define MOST_RUN_BYTES (MOST_RUNS * 15)
/* Names are shorter than this in every library. */
#define MOST_NAME_BYTES 1024

struct communicator {
    uintptr_t handle;
    struct communicator_facts facts;
    /* Of the process image that defined it. */
    uint32_t generation;
};

HANDLE_TABLE(communicators, struct communicator, 1024);
static uint32_t last;

/* ---- the world ---- */

static bool is_initialised(const struct mpi_library *mpi)
{
    int is_begun = 0, is_ended = 1;
    return mpi->initialized(&is_begun) == 0 && is_begun && mpi->finalized(&is_ended) == 0 && !is_ended;
}

void define_world(const struct mpi_library *mpi)
{
    static int is_defined;
    // It stays true in a process that is forked from a rank, and is none.
    if (__atomic_load_n(&is_defined, __ATOMIC_RELAXED) || !is_initialised(mpi)) return;
    if (__atomic_exchange_n(&is_defined, 1, __ATOMIC_RELAXED)) return;
    static char version[MOST_VERSION_BYTES];
    int rank = 0, size = 0, length = 0;
    if (mpi->comm_rank(mpi->world, &rank) != 0 || mpi->comm_size(mpi->world, &size) != 0) return;
    if (mpi->library_version == NULL || mpi->library_version(version, &length) != 0) version[0] = 0;
    // The first line: MPICH goes on with how it was built.
    size_t bytes = strcspn(version, "\n");
    if (bytes > 256) bytes = 256;
    signal_mask before;
    struct definition definition;
    definitions_lock(&before);
    if (definition_begin(&definition, DEFINE_WORLD, 30 + bytes)) {
        define(&definition, (uint64_t)rank);
        define(&definition, (uint64_t)size);
        define_text(&definition, version, bytes);
        definition_end(&definition);
    }
    definitions_unlock(&before);
}

/* ---- communicators ---- */

/* Ranks in the world as runs: most communicators are blocks, rows or columns of it. */
struct runs {
    uint32_t count;
    uint32_t bytes;
    int64_t first;
    int64_t step;
    int64_t ranks;
    /* First rank of the run before. */
    int64_t before;
    uint8_t encoded[MOST_RUN_BYTES];
};

static void end_run(struct runs *runs)
{
    if (runs->ranks == 0) return;
    uint8_t *at = runs->encoded + runs->bytes;
    at = encode(at, zigzag(runs->first - runs->before));
    at = encode(at, zigzag(runs->step));
    at = encode(at, (uint64_t)runs->ranks);
    runs->bytes = (uint32_t)(at - runs->encoded);
    runs->before = runs->first;
    runs->ranks = 0;
    runs->count++;
}

/* False when there are too many runs. */
static bool add_rank(struct runs *runs, int64_t rank)
{
    if (runs->ranks == 1) runs->step = rank - runs->first;
    if (runs->ranks > 0 && rank == runs->first + runs->step * runs->ranks) {
        runs->ranks++;
        return true;
    }
    end_run(runs);
    if (runs->count == MOST_RUNS) return false;
    runs->first = rank;
    runs->step = 0;
    runs->ranks = 1;
    return true;
}

static void list_ranks(const struct mpi_library *mpi, uintptr_t group, uintptr_t world, int processes,
                       struct runs *runs)
{
    int own[RANKS_AT_ONCE], in_world[RANKS_AT_ONCE];
    for (int from = 0; from < processes; from += RANKS_AT_ONCE) {
        int count = processes - from < RANKS_AT_ONCE ? processes - from : RANKS_AT_ONCE;
        for (int i = 0; i < count; i++) own[i] = from + i;
        if (mpi->group_translate_ranks(group, count, own, world, in_world) != 0) break;
        for (int i = 0; i < count; i++)
            if (!add_rank(runs, in_world[i] < 0 ? -1 : in_world[i])) return;
    }
    end_run(runs);
}

static void list_members(const struct mpi_library *mpi, uintptr_t communicator, int processes, struct runs *runs)
{
    uintptr_t group = 0, world = 0;
    // Programs that use sessions have no world.
    if (!is_initialised(mpi) || mpi->comm_group(communicator, &group) != 0) return;
    if (mpi->comm_group(mpi->world, &world) == 0) {
        list_ranks(mpi, group, world, processes, runs);
        mpi->group_free(&world);
    }
    mpi->group_free(&group);
}

static uint32_t define_communicator(const struct mpi_library *mpi, uintptr_t communicator, bool is_between_groups)
{
    int processes = 0, length = 0;
    char name[MOST_NAME_BYTES] = "";
    struct runs runs = {.count = 0};
    if (mpi->comm_size(communicator, &processes) != 0) return 0;
    if (mpi->comm_get_name(communicator, name, &length) != 0 || length < 0) length = 0;
    size_t bytes = strnlen(name, sizeof name);
    if (!is_between_groups) list_members(mpi, communicator, processes, &runs);
    uint32_t number = 0;
    signal_mask before;
    struct definition definition;
    definitions_lock(&before);
    if (definition_begin(&definition, DEFINE_COMMUNICATOR, 40 + bytes + runs.bytes)) {
        number = ++last;
        define(&definition, number);
        define(&definition, (uint64_t)processes);
        define_text(&definition, name, bytes);
        define(&definition, runs.count);
        memcpy(definition.at, runs.encoded, runs.bytes);
        definition.at += runs.bytes;
        definition_end(&definition);
    }
    definitions_unlock(&before);
    return number;
}

static const struct communicator *find_known(uintptr_t communicator)
{
    const struct communicator *known = handle_find(&communicators, communicator, NULL);
    return known == NULL || known->generation != generation ? NULL : known;
}

uint32_t communicator_known(uintptr_t communicator)
{
    const struct communicator *known = find_known(communicator);
    return known == NULL ? 0 : known->facts.number;
}

struct communicator_facts communicator_facts(const struct mpi_library *mpi, uintptr_t communicator)
{
    const struct communicator *known = find_known(communicator);
    if (LIKELY(known != NULL)) return known->facts;
    struct communicator_facts facts = {.rank = -1};
    int is_between_groups = 0;
    if (mpi->comm_rank(communicator, &facts.rank) != 0) return facts;
    if (mpi->comm_test_inter != NULL) mpi->comm_test_inter(communicator, &is_between_groups);
    facts.is_between_groups = is_between_groups != 0;
    facts.number = define_communicator(mpi, communicator, facts.is_between_groups);
    communicator_freed(communicator);
    struct communicator *added = facts.number == 0 ? NULL : handle_add(&communicators, communicator);
    if (added != NULL) {
        added->facts = facts;
        added->generation = generation;
        handle_publish(added, communicator);
    }
    return facts;
}

uint32_t communicator_number(const struct mpi_library *mpi, uintptr_t communicator)
{
    return communicator_facts(mpi, communicator).number;
}

void communicator_freed(uintptr_t communicator)
{
    struct communicator *known = handle_find(&communicators, communicator, NULL);
    if (known != NULL) handle_remove(known);
}
