/*
 * HDF5's types as registers hold them, and what its wrappers share. Identifiers are 64 bits wide since 1.10 and were 32
 * before: a wrapper passes the whole register on, whose upper half means nothing then.
 */
#ifndef IOLENS_HDF5_H
#define IOLENS_HDF5_H

#include "../linking/library.h"

typedef int64_t hid_t;
typedef int herr_t;
typedef int htri_t;
typedef uint64_t hsize_t;
typedef uint64_t haddr_t;

/* What is asked of a library; each lacks some of these. */
enum hdf5_query {
    GET_KIND,
    TYPE_SIZE,
    SELECTED,
    ALL_POINTS,
    SET_SPACE,
    ATTRIBUTE_SPACE,
    CLOSE_SPACE,
    COLLECTIVE,
    CHUNK_SIZE,
    REFERENCES,
    FILE_PATH,
    OBJECT_NAME,
    SINCE_1_10
};

/* H5I_type_t; 1.12 put maps (6) in front of attributes. */
enum { KIND_FILE = 1, KIND_GROUP = 2, KIND_SPACE = 4, KIND_SET = 5, KIND_ATTRIBUTE_1_10 = 6, KIND_ATTRIBUTE = 7 };

/* The kind of object that an identifier says it is of. */
unsigned hdf5_kind(const struct library *library, hid_t id);
bool hdf5_is_negative(const struct library *library, hid_t id);
/* An identifier as a short number: the kind of object stands in its uppermost bits; then the copy of the library. */
uint64_t hdf5_handle(const struct library *library, hid_t id);
/* Whether an identifier is that of a file, a group, a data set or an attribute. */
bool hdf5_is_in_file(const struct library *library, hid_t id);

/*
 * Describes an object that was not seen to be opened (event `object`), once: functions that call the program back give it
 * groups of their own. The call that uses it begins only after that: HDF5 forgets the errors of the last call at the
 * beginning of the next.
 */
void hdf5_described(struct call *call, const struct library *library, hid_t id);

/* Ends of calls, with the arguments that their roles say. */
/* "HNhx" */
void hdf5_opened(struct call *call, const struct library *library, hid_t location, const char *name, hid_t result);
/* "plhx" */
void hdf5_file_opened(struct call *call, const struct library *library, const char *path, unsigned flags, hid_t result);
/* "Hhx" */
void hdf5_file_reopened(struct call *call, const struct library *library, hid_t file, hid_t result);
/* "hx" */
void hdf5_done(struct call *call, const struct library *library, hid_t object, int result);
/* "hNx" */
void hdf5_done_named(struct call *call, const struct library *library, hid_t location, const char *name, int result);

/* "hx", of a reference that was given up: how many are left, negative when it failed. */
void hdf5_given_up(struct call *call, const struct library *library, hid_t object, int left);

/* References to an object besides one: what is left when that is given up, which happens only after this. */
int hdf5_other_references(struct call *call, const struct library *library, hid_t id);

/* Data sets that one call transfers, and what it selects of each. */
struct hdf5_sets {
    size_t count;
    const hid_t *sets, *types, *memory, *file;
    hid_t properties;
};
/* "hbgx" */
void hdf5_transferred(struct call *call, const struct library *library, const struct hdf5_sets *sets, herr_t result);

/* A chunk as it lies in the file. */
struct hdf5_chunk {
    hid_t set;
    hid_t properties;
    /* NULL: `bytes` is its size. */
    const hsize_t *offset;
    uint64_t bytes;
};
/* "hbgx" */
void hdf5_chunk_transferred(struct call *call, const struct library *library, const struct hdf5_chunk *chunk, herr_t result);
/* "hbx" */
void hdf5_attribute_transferred(struct call *call, const struct library *library, hid_t attribute, hid_t type, herr_t result);

/* Data sets may have another size than before, from now on or, as far as is known here, at some later time. */
void hdf5_resized(bool is_later);
/* A handle is that of another object than before. */
void hdf5_extent_forget(uint64_t handle);

/* A call that opens or makes something in a file. */
#define HDF5_OPENS(name, parameters, arguments, location, object)                                                      \
    FUNCTION(name, LAYER_HDF5, "HNhx");                                                                                \
    EXPORTED hid_t name parameters                                                                                     \
    {                                                                                                                  \
        LINKED(name);                                                                                                  \
        struct call call;                                                                                              \
        if (!call_begin(&call, &function_##name)) return real arguments;                                               \
        hdf5_described(&call, site->library, location);                                                                \
        hid_t result = real arguments;                                                                                 \
        hdf5_opened(&call, site->library, location, object, result);                                                   \
        return result;                                                                                                 \
    }

/* A call that does something with what is open. */
#define HDF5_DOES(name, parameters, arguments, object)                                                                 \
    FUNCTION(name, LAYER_HDF5, "hx");                                                                                  \
    EXPORTED int name parameters                                                                                       \
    {                                                                                                                  \
        LINKED(name);                                                                                                  \
        struct call call;                                                                                              \
        if (!call_begin(&call, &function_##name)) return real arguments;                                               \
        hdf5_described(&call, site->library, object);                                                                  \
        int result = real arguments;                                                                                   \
        hdf5_done(&call, site->library, object, result);                                                               \
        return result;                                                                                                 \
    }

/* The same after which a data set may have another size; `is_later`: perhaps only when the call has returned. */
#define HDF5_RESIZES(name, parameters, arguments, object, is_later)                                                    \
    FUNCTION(name, LAYER_HDF5, "hx");                                                                                  \
    EXPORTED int name parameters                                                                                       \
    {                                                                                                                  \
        LINKED(name);                                                                                                  \
        struct call call;                                                                                              \
        bool is_recorded = call_begin(&call, &function_##name);                                                        \
        if (is_recorded) hdf5_described(&call, site->library, object);                                                 \
        int result = real arguments;                                                                                   \
        hdf5_resized(is_later);                                                                                        \
        if (is_recorded) hdf5_done(&call, site->library, object, result);                                              \
        return result;                                                                                                 \
    }

/* A call that gives up a reference to what is open, which is closed with the last one; the result says how many are left. */
#define HDF5_CLOSES(name, parameters, arguments, object)                                                               \
    FUNCTION(name, LAYER_HDF5, "hx");                                                                                  \
    EXPORTED int name parameters                                                                                       \
    {                                                                                                                  \
        LINKED(name);                                                                                                  \
        struct call call;                                                                                              \
        if (!call_begin(&call, &function_##name)) return real arguments;                                               \
        int left = hdf5_other_references(&call, site->library, object);                                                \
        int result = real arguments;                                                                                   \
        hdf5_given_up(&call, site->library, object, result < 0 ? result : left);                                       \
        return result;                                                                                                 \
    }

/* A call that does something with what has a name. */
#define HDF5_DOES_NAMED(name, parameters, arguments, location, object)                                                 \
    FUNCTION(name, LAYER_HDF5, "hNx");                                                                                 \
    EXPORTED int name parameters                                                                                       \
    {                                                                                                                  \
        LINKED(name);                                                                                                  \
        struct call call;                                                                                              \
        if (!call_begin(&call, &function_##name)) return real arguments;                                               \
        hdf5_described(&call, site->library, location);                                                                \
        int result = real arguments;                                                                                   \
        hdf5_done_named(&call, site->library, location, object, result);                                               \
        return result;                                                                                                 \
    }

/* The same functions by which 1.14 and later begin what an event set waits for: three arguments more in front, one behind. */
#define HDF5_LATER_IN const char *in_file, const char *in_function, unsigned in_line
#define HDF5_LATER in_file, in_function, in_line

#endif
