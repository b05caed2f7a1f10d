/* The layer HDF5: what its wrappers ask the library, and how their calls end. */
#include "hdf5.h"

const char *const hdf5_queries[MOST_QUERIES] = {
    [GET_KIND] = "H5Iget_type",
    [TYPE_SIZE] = "H5Tget_size",
    [SELECTED] = "H5Sget_select_npoints",
    [ALL_POINTS] = "H5Sget_simple_extent_npoints",
    [SET_SPACE] = "H5Dget_space",
    [ATTRIBUTE_SPACE] = "H5Aget_space",
    [CLOSE_SPACE] = "H5Sclose",
    [COLLECTIVE] = "H5Pget_dxpl_mpio",
    [CHUNK_SIZE] = "H5Dget_chunk_storage_size",
    [REFERENCES] = "H5Iget_ref",
    [FILE_PATH] = "H5Fget_name",
    [OBJECT_NAME] = "H5Iget_name",
    [SINCE_1_10] = "H5Dflush",
};

typedef int (*of_id)(hid_t);

/* ---- identifiers ---- */

/* The sign, seven bits for the kind, the rest is the object's own. */
static unsigned bits_of_index(const struct library *library)
{
    return (library->queries[SINCE_1_10] != NULL ? 64 : 32) - 8;
}

unsigned hdf5_kind(const struct library *library, hid_t id)
{
    return (uint64_t)id >> bits_of_index(library) & 0x7f;
}

uint64_t hdf5_handle(const struct library *library, hid_t id)
{
    uint64_t index = (uint64_t)id & (((uint64_t)1 << bits_of_index(library)) - 1);
    return index << 8 | (library->copy & 15) << 4 | (hdf5_kind(library, id) & 15);
}

bool hdf5_is_in_file(const struct library *library, hid_t id)
{
    unsigned kind = hdf5_kind(library, id);
    return kind == KIND_FILE || kind == KIND_GROUP || kind == KIND_SET || kind == KIND_ATTRIBUTE_1_10 || kind == KIND_ATTRIBUTE;
}

bool hdf5_is_negative(const struct library *library, hid_t id)
{
    return library->queries[SINCE_1_10] != NULL ? id < 0 : (int32_t)id < 0;
}

/* ---- objects that were seen to be opened ---- */

/* Numbers that lie far apart share a place: of two objects that are open so far apart one may stay without description. */
#define PLACES 65536u
static uint64_t known_objects[PLACES / 64];

FUNCTION(object, LAYER_RECORDER, "hNp");

static uint64_t *place_of(uint64_t handle, uint64_t *bit)
{
    uint32_t place = (uint32_t)(handle >> 8 << 3 | (handle & 7)) ^ (uint32_t)(handle >> 4 & 15) << 12;
    *bit = (uint64_t)1 << (place & 63);
    return &known_objects[(place & (PLACES - 1)) >> 6];
}

static bool mark_known(uint64_t handle)
{
    uint64_t bit;
    uint64_t *place = place_of(handle, &bit);
    return (__atomic_fetch_or(place, bit, __ATOMIC_RELAXED) & bit) != 0;
}

static void forget(uint64_t handle)
{
    uint64_t bit;
    uint64_t *place = place_of(handle, &bit);
    __atomic_fetch_and(place, ~bit, __ATOMIC_RELAXED);
}

void hdf5_described(struct call *user, const struct library *library, hid_t id)
{
    typedef int64_t (*text_of_id)(hid_t, char *, size_t);
    void *const *queries = library->queries;
    uint64_t handle = hdf5_handle(library, id), bit;
    if (LIKELY((*place_of(handle, &bit) & bit) != 0)) return;
    if (!hdf5_is_in_file(library, id) || queries[GET_KIND] == NULL || queries[FILE_PATH] == NULL || queries[OBJECT_NAME] == NULL) return;
    char path[4096] = "", name[1024] = "";
    struct questions questions = questions_begin();
    bool is_open = ((of_id)queries[GET_KIND])(id) >= 0;
    if (is_open && ((text_of_id)queries[FILE_PATH])(id, path, sizeof path) < 0) path[0] = 0;
    if (is_open && ((text_of_id)queries[OBJECT_NAME])(id, name, sizeof name) < 0) name[0] = 0;
    questions_end(questions);
    struct call call;
    if (!is_open || mark_known(handle) || !call_mark(&call, &function_object)) return;
    put(&call, handle);
    put_text(&call, name);
    put_text(&call, path);
    call_commit(&call);
    user->start = monotonic_time();
}

/* ---- ends of calls ---- */

static void put_opened(struct call *call, const struct library *library, hid_t result)
{
    bool has_failed = hdf5_is_negative(library, result);
    uint64_t handle = has_failed ? 0 : hdf5_handle(library, result);
    if (!has_failed) {
        mark_known(handle);
        hdf5_extent_forget(handle);
    }
    put(call, handle);
    put_signed(call, has_failed ? -1 : 0);
}

void hdf5_opened(struct call *call, const struct library *library, hid_t location, const char *name, hid_t result)
{
    if (!call_end(call)) return;
    put(call, hdf5_handle(library, location));
    put_text(call, name);
    put_opened(call, library, result);
    call_commit(call);
}

void hdf5_file_opened(struct call *call, const struct library *library, const char *path, unsigned flags, hid_t result)
{
    if (!call_end(call)) return;
    put_text(call, path);
    put(call, flags);
    put_opened(call, library, result);
    call_commit(call);
}

void hdf5_file_reopened(struct call *call, const struct library *library, hid_t file, hid_t result)
{
    if (!call_end(call)) return;
    put(call, hdf5_handle(library, file));
    put_opened(call, library, result);
    call_commit(call);
}

void hdf5_done(struct call *call, const struct library *library, hid_t object, int result)
{
    if (!call_end(call)) return;
    put(call, hdf5_handle(library, object));
    put_signed(call, result);
    call_commit(call);
}

void hdf5_done_named(struct call *call, const struct library *library, hid_t location, const char *name, int result)
{
    if (!call_end(call)) return;
    put(call, hdf5_handle(library, location));
    put_text(call, name);
    put_signed(call, result);
    call_commit(call);
}

void hdf5_given_up(struct call *call, const struct library *library, hid_t object, int left)
{
    if (left == 0) forget(hdf5_handle(library, object));
    hdf5_done(call, library, object, left);
}

/* ---- references ---- */

int hdf5_other_references(struct call *call, const struct library *library, hid_t id)
{
    void *const *queries = library->queries;
    int references = 0;
    if (queries[REFERENCES] == NULL || queries[GET_KIND] == NULL) return 0;
    struct questions questions = questions_begin();
    if (((of_id)queries[GET_KIND])(id) >= 0) references = ((of_id)queries[REFERENCES])(id);
    questions_end(questions);
    call->start = monotonic_time();
    return references > 1 ? references - 1 : 0;
}
