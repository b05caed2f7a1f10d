/* The layer HDF5: what its wrappers ask the library, and how their calls end. */
#include "hdf5.h"

enum { GET_KIND, TYPE_SIZE, SELECTED, ALL_POINTS, SET_SPACE, ATTRIBUTE_SPACE, CLOSE_SPACE, HAS_PROPERTY, COLLECTIVE, CHUNK_SIZE, REFERENCES,
       FILE_PATH, OBJECT_NAME, SINCE_1_10, SINCE_1_12 };
const char *const hdf5_queries[MOST_QUERIES] = {
    [GET_KIND] = "H5Iget_type",
    [TYPE_SIZE] = "H5Tget_size",
    [SELECTED] = "H5Sget_select_npoints",
    [ALL_POINTS] = "H5Sget_simple_extent_npoints",
    [SET_SPACE] = "H5Dget_space",
    [ATTRIBUTE_SPACE] = "H5Aget_space",
    [CLOSE_SPACE] = "H5Sclose",
    [HAS_PROPERTY] = "H5Pexist",
    [COLLECTIVE] = "H5Pget_dxpl_mpio",
    [CHUNK_SIZE] = "H5Dget_chunk_storage_size",
    [REFERENCES] = "H5Iget_ref",
    [FILE_PATH] = "H5Fget_name",
    [OBJECT_NAME] = "H5Iget_name",
    [SINCE_1_10] = "H5Dflush",
    [SINCE_1_12] = "H5Oget_info3",
};

/* H5I_type_t; 1.12 put maps (6) in front of attributes. */
enum { KIND_FILE = 1, KIND_GROUP = 2, KIND_TYPE = 3, KIND_SPACE = 4, KIND_SET = 5, KIND_ATTRIBUTE_1_10 = 6, KIND_ATTRIBUTE = 7 };
enum { KIND_PROPERTIES_1_10 = 10, KIND_PROPERTIES = 11 };

static const hid_t DEFAULT_PROPERTIES = 0;

typedef int (*of_id)(hid_t);
typedef size_t (*size_of_id)(hid_t);
typedef int64_t (*count_of_id)(hid_t);
typedef hid_t (*id_of_id)(hid_t);

/* ---- identifiers ---- */

/* The sign, seven bits for the kind, the rest is the object's own. */
static unsigned bits_of_index(const struct library *library)
{
    return (library->queries[SINCE_1_10] != NULL ? 64 : 32) - 8;
}

static unsigned kind_in_bits(const struct library *library, hid_t id)
{
    return (uint64_t)id >> bits_of_index(library) & 0x7f;
}

uint64_t hdf5_handle(const struct library *library, hid_t id)
{
    uint64_t index = (uint64_t)id & (((uint64_t)1 << bits_of_index(library)) - 1);
    return index << 8 | (library->copy & 15) << 4 | (kind_in_bits(library, id) & 15);
}

bool hdf5_is_in_file(const struct library *library, hid_t id)
{
    unsigned kind = kind_in_bits(library, id);
    return kind == KIND_FILE || kind == KIND_GROUP || kind == KIND_SET || kind == KIND_ATTRIBUTE_1_10 || kind == KIND_ATTRIBUTE;
}

static bool is_negative(const struct library *library, hid_t id)
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
    bool has_failed = is_negative(library, result);
    uint64_t handle = has_failed ? 0 : hdf5_handle(library, result);
    if (!has_failed) mark_known(handle);
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

/* ---- bytes that are moved ---- */

/* Asked first of all: other functions print an error where an identifier is not what they expect. */
static bool is_kind(const struct library *library, hid_t id, int kind)
{
    return library->queries[GET_KIND] != NULL && ((of_id)library->queries[GET_KIND])(id) == kind;
}

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

/* Points that are selected in a space, as long as it is one: there are numbers that stand for something else. */
static bool points_selected(const struct library *library, hid_t space, uint64_t *points)
{
    if (library->queries[SELECTED] == NULL || !is_kind(library, space, KIND_SPACE)) return false;
    int64_t selected = ((count_of_id)library->queries[SELECTED])(space);
    *points = selected < 0 ? 0 : (uint64_t)selected;
    return true;
}

static uint64_t all_points(const struct library *library, unsigned get_space, hid_t object)
{
    if (library->queries[get_space] == NULL || library->queries[ALL_POINTS] == NULL || library->queries[CLOSE_SPACE] == NULL)
        return 0;
    hid_t space = ((id_of_id)library->queries[get_space])(object);
    if (is_negative(library, space)) return 0;
    int64_t points = ((count_of_id)library->queries[ALL_POINTS])(space);
    ((of_id)library->queries[CLOSE_SPACE])(space);
    return points < 0 ? 0 : (uint64_t)points;
}

static uint64_t type_size(const struct library *library, hid_t type)
{
    if (library->queries[TYPE_SIZE] == NULL || !is_kind(library, type, KIND_TYPE)) return 0;
    return ((size_of_id)library->queries[TYPE_SIZE])(type);
}

/* Both spaces select as many points, so either will do; where neither is given it is all of the data set. */
static uint64_t bytes_of_set(const struct library *library, hid_t set, hid_t type, hid_t memory, hid_t file)
{
    uint64_t size = type_size(library, type);
    uint64_t points = 0;
    if (size == 0) return 0;
    if (!points_selected(library, file, &points) && !points_selected(library, memory, &points) && is_kind(library, set, KIND_SET))
        points = all_points(library, SET_SPACE, set);
    return points * size;
}

/* By the property that lists of transfers have where there is MPI; of another list it is not asked, which would be an error. */
static bool is_collective(const struct library *library, hid_t properties)
{
    void *const *queries = library->queries;
    int mode = 0;
    int kind = queries[SINCE_1_12] != NULL ? KIND_PROPERTIES : KIND_PROPERTIES_1_10;
    if (properties == DEFAULT_PROPERTIES || queries[HAS_PROPERTY] == NULL || queries[COLLECTIVE] == NULL) return false;
    if (!is_kind(library, properties, kind)) return false;
    if (((int (*)(hid_t, const char *))queries[HAS_PROPERTY])(properties, "io_xfer_mode") <= 0) return false;
    return ((int (*)(hid_t, int *))queries[COLLECTIVE])(properties, &mode) >= 0 && mode != 0;
}

struct hdf5_transfer hdf5_transfer(struct call *call, const struct library *library, size_t count, const hid_t *sets,
                                   const hid_t *types, const hid_t *memory, const hid_t *file, hid_t properties)
{
    for (size_t i = 0; i < count; i++) hdf5_described(call, library, sets[i]);
    struct questions questions = questions_begin();
    struct hdf5_transfer transfer = {0, is_collective(library, properties)};
    for (size_t i = 0; i < count; i++)
        transfer.bytes += bytes_of_set(library, sets[i], types[i], memory[i], file[i]);
    questions_end(questions);
    call->start = monotonic_time();
    return transfer;
}

void hdf5_transferred(struct call *call, const struct library *library, hid_t set, struct hdf5_transfer transfer, herr_t result)
{
    if (!call_end(call)) return;
    put(call, hdf5_handle(library, set));
    put(call, result < 0 ? 0 : transfer.bytes);
    put(call, transfer.is_collective);
    put_signed(call, result);
    call_commit(call);
}

uint64_t hdf5_chunk_bytes(const struct library *library, hid_t set, const hsize_t *offset)
{
    hsize_t bytes = 0;
    if (library->queries[CHUNK_SIZE] == NULL || !is_kind(library, set, KIND_SET)) return 0;
    struct questions questions = questions_begin();
    herr_t result = ((herr_t (*)(hid_t, const hsize_t *, hsize_t *))library->queries[CHUNK_SIZE])(set, offset, &bytes);
    questions_end(questions);
    return result < 0 ? 0 : bytes;
}

uint64_t hdf5_attribute_bytes(struct call *call, const struct library *library, hid_t attribute, hid_t type)
{
    hdf5_described(call, library, attribute);
    struct questions questions = questions_begin();
    uint64_t bytes = type_size(library, type);
    bool is_attribute = is_kind(library, attribute, KIND_ATTRIBUTE) || is_kind(library, attribute, KIND_ATTRIBUTE_1_10);
    if (bytes > 0) bytes *= is_attribute ? all_points(library, ATTRIBUTE_SPACE, attribute) : 0;
    questions_end(questions);
    call->start = monotonic_time();
    return bytes;
}

void hdf5_attribute_transferred(struct call *call, const struct library *library, hid_t attribute, uint64_t bytes, herr_t result)
{
    if (!call_end(call)) return;
    put(call, hdf5_handle(library, attribute));
    put(call, result < 0 ? 0 : bytes);
    put_signed(call, result);
    call_commit(call);
}
