/*
 * The layer HDF5: bytes that transfers move. The library is asked only when a call has succeeded: then all that it was
 * given is what it takes, and no question makes the library print an error. Of a call that failed none are moved.
 */
#include "hdf5.h"

enum { DEFAULT_PROPERTIES = 0 };

typedef int (*of_id)(hid_t);
typedef size_t (*size_of_id)(hid_t);
typedef int64_t (*count_of_id)(hid_t);
typedef hid_t (*id_of_id)(hid_t);

/* ---- how many values a data set or an attribute has ---- */

#define EXTENTS_BITS 9

/* Without a lock: `check` is made of all that must fit together, so what is being replaced fits no handle. */
static struct extent {
    uint64_t check;
    uint64_t points;
} extents[1u << EXTENTS_BITS];
static uint32_t resizings;
/* A connector may resize at some later time. */
static bool resizes_later;

static struct extent *extent_of(uint64_t handle)
{
    return &extents[handle * 0x9e3779b97f4a7c15u >> (64 - EXTENTS_BITS)];
}

static uint64_t check_of(uint64_t handle, uint64_t points, uint32_t since)
{
    return (handle ^ points * 0xc2b2ae3d27d4eb4fu) + (since + 1) * 0x9e3779b97f4a7c15u;
}

void hdf5_resized(bool is_later)
{
    if (is_later) __atomic_store_n(&resizes_later, true, __ATOMIC_RELAXED);
    __atomic_fetch_add(&resizings, 1, __ATOMIC_RELEASE);
}

void hdf5_extent_forget(uint64_t handle)
{
    __atomic_store_n(&extent_of(handle)->check, 0, __ATOMIC_RELAXED);
}

static bool ask_points(const struct library *library, enum hdf5_query get_space, hid_t object, uint64_t *points)
{
    void *const *queries = library->queries;
    if (queries[get_space] == NULL || queries[ALL_POINTS] == NULL || queries[CLOSE_SPACE] == NULL) return false;
    hid_t space = ((id_of_id)queries[get_space])(object);
    if (hdf5_is_negative(library, space)) return false;
    int64_t asked = ((count_of_id)queries[ALL_POINTS])(space);
    ((of_id)queries[CLOSE_SPACE])(space);
    *points = (uint64_t)asked;
    return asked >= 0;
}

static uint64_t all_points(const struct library *library, enum hdf5_query get_space, hid_t object)
{
    uint64_t handle = hdf5_handle(library, object);
    struct extent *known = extent_of(handle);
    uint32_t since = __atomic_load_n(&resizings, __ATOMIC_ACQUIRE);
    uint64_t points = __atomic_load_n(&known->points, __ATOMIC_RELAXED);
    if (__atomic_load_n(&known->check, __ATOMIC_RELAXED) == check_of(handle, points, since)) return points;
    if (!ask_points(library, get_space, object, &points)) return 0;
    if (__atomic_load_n(&resizes_later, __ATOMIC_RELAXED)) return points;
    __atomic_store_n(&known->points, points, __ATOMIC_RELAXED);
    __atomic_store_n(&known->check, check_of(handle, points, since), __ATOMIC_RELAXED);
    return points;
}

/* ---- transfers ---- */

static uint64_t type_size(const struct library *library, hid_t type)
{
    return library->queries[TYPE_SIZE] == NULL ? 0 : ((size_of_id)library->queries[TYPE_SIZE])(type);
}

/* Points that are selected in a space, as long as it is one: there are numbers that stand for something else. */
static bool points_selected(const struct library *library, hid_t space, uint64_t *points)
{
    if (library->queries[SELECTED] == NULL || hdf5_kind(library, space) != KIND_SPACE) return false;
    int64_t selected = ((count_of_id)library->queries[SELECTED])(space);
    *points = selected < 0 ? 0 : (uint64_t)selected;
    return true;
}

/* Both spaces select as many points, so either will do; where neither is given it is all of the data set. */
static uint64_t bytes_of_set(const struct library *library, hid_t set, hid_t type, hid_t memory, hid_t file)
{
    uint64_t size = type_size(library, type), points = 0;
    if (size == 0) return 0;
    if (!points_selected(library, file, &points) && !points_selected(library, memory, &points))
        points = all_points(library, SET_SPACE, set);
    return points * size;
}

/* By the property that lists of transfers have where there is MPI. */
static bool is_collective(const struct library *library, hid_t properties)
{
    int mode = 0;
    if (properties == DEFAULT_PROPERTIES || library->queries[COLLECTIVE] == NULL) return false;
    return ((int (*)(hid_t, int *))library->queries[COLLECTIVE])(properties, &mode) >= 0 && mode != 0;
}

static uint64_t chunk_bytes(const struct library *library, hid_t set, const hsize_t *offset)
{
    hsize_t bytes = 0;
    if (library->queries[CHUNK_SIZE] == NULL) return 0;
    int result = ((herr_t (*)(hid_t, const hsize_t *, hsize_t *))library->queries[CHUNK_SIZE])(set, offset, &bytes);
    return result < 0 ? 0 : bytes;
}

/* ---- ends of calls ---- */

static void commit_transfer(struct call *call, const struct library *library, hid_t set, uint64_t bytes, bool together, herr_t result)
{
    put(call, hdf5_handle(library, set));
    put(call, bytes);
    put(call, together);
    put_signed(call, result);
    call_commit(call);
}

void hdf5_transferred(struct call *call, const struct library *library, const struct hdf5_sets *sets, herr_t result)
{
    if (!call_end(call)) return;
    uint64_t bytes = 0;
    bool together = false;
    if (result >= 0) {
        struct questions questions = questions_begin();
        together = is_collective(library, sets->properties);
        for (size_t i = 0; i < sets->count; i++)
            bytes += bytes_of_set(library, sets->sets[i], sets->types[i], sets->memory[i], sets->file[i]);
        questions_end(questions);
    }
    commit_transfer(call, library, sets->sets[0], bytes, together, result);
}

void hdf5_chunk_transferred(struct call *call, const struct library *library, const struct hdf5_chunk *chunk, herr_t result)
{
    if (!call_end(call)) return;
    uint64_t bytes = 0;
    bool together = false;
    if (result >= 0) {
        struct questions questions = questions_begin();
        together = is_collective(library, chunk->properties);
        bytes = chunk->offset == NULL ? chunk->bytes : chunk_bytes(library, chunk->set, chunk->offset);
        questions_end(questions);
    }
    commit_transfer(call, library, chunk->set, bytes, together, result);
}

void hdf5_attribute_transferred(struct call *call, const struct library *library, hid_t attribute, hid_t type, herr_t result)
{
    if (!call_end(call)) return;
    uint64_t bytes = 0;
    if (result >= 0) {
        struct questions questions = questions_begin();
        bytes = type_size(library, type);
        if (bytes > 0) bytes *= all_points(library, ATTRIBUTE_SPACE, attribute);
        questions_end(questions);
    }
    put(call, hdf5_handle(library, attribute));
    put(call, bytes);
    put_signed(call, result);
    call_commit(call);
}
