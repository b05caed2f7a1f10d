/* The layer HDF5: files. */
#include "hdf5.h"

/* H5F_ACC_RDWR, H5F_ACC_EXCL */
enum { FOR_WRITING = 1, EXCLUSIVE = 4 };

#define OPENS_FILE(name, parameters, arguments, flags_of_it)                                                           \
    FUNCTION(name, LAYER_HDF5, "plhx");                                                                                 \
    EXPORTED hid_t name parameters                                                                                     \
    {                                                                                                                  \
        LINKED(name);                                                                                                  \
        struct call call;                                                                                              \
        if (!call_begin(&call, &function_##name)) return real arguments;                                               \
        hid_t result = real arguments;                                                                                 \
        hdf5_file_opened(&call, site->library, path, flags_of_it, result);                                             \
        return result;                                                                                                 \
    }

#define REOPENS_FILE(name, parameters, arguments)                                                                      \
    FUNCTION(name, LAYER_HDF5, "Hhx");                                                                                  \
    EXPORTED hid_t name parameters                                                                                     \
    {                                                                                                                  \
        LINKED(name);                                                                                                  \
        struct call call;                                                                                              \
        if (!call_begin(&call, &function_##name)) return real arguments;                                               \
        hid_t result = real arguments;                                                                                 \
        hdf5_file_reopened(&call, site->library, file, result);                                                        \
        return result;                                                                                                 \
    }

OPENS_FILE(H5Fcreate, (const char *path, unsigned flags, hid_t creation, hid_t access), (path, flags, creation, access),
           flags_of_create((flags & EXCLUSIVE) != 0))
OPENS_FILE(H5Fopen, (const char *path, unsigned flags, hid_t access), (path, flags, access),
           flags_of_open((flags & FOR_WRITING) != 0))
OPENS_FILE(H5Fcreate_async,
           (HDF5_LATER_IN, const char *path, unsigned flags, hid_t creation, hid_t access, hid_t events),
           (HDF5_LATER, path, flags, creation, access, events), flags_of_create((flags & EXCLUSIVE) != 0))
OPENS_FILE(H5Fopen_async, (HDF5_LATER_IN, const char *path, unsigned flags, hid_t access, hid_t events),
           (HDF5_LATER, path, flags, access, events), flags_of_open((flags & FOR_WRITING) != 0))

REOPENS_FILE(H5Freopen, (hid_t file), (file))
REOPENS_FILE(H5Freopen_async, (HDF5_LATER_IN, hid_t file, hid_t events), (HDF5_LATER, file, events))

HDF5_CLOSES(H5Fclose, (hid_t file), (file), file)
HDF5_CLOSES(H5Fclose_async, (HDF5_LATER_IN, hid_t file, hid_t events), (HDF5_LATER, file, events), file)
HDF5_DOES(H5Fflush, (hid_t object, int scope), (object, scope), object)
HDF5_DOES(H5Fflush_async, (HDF5_LATER_IN, hid_t object, int scope, hid_t events), (HDF5_LATER, object, scope, events), object)
HDF5_DOES(H5Fstart_swmr_write, (hid_t file), (file), file)
HDF5_DOES_NAMED(H5Fmount, (hid_t location, const char *name, hid_t child, hid_t properties),
                (location, name, child, properties), location, name)
HDF5_DOES_NAMED(H5Funmount, (hid_t location, const char *name), (location, name), location, name)

/*
 * The last reference to an object closes it; this is how languages with counted references do. Others are no calls of
 * files, nor are types, spaces and lists of properties, which live in memory.
 */
FUNCTION(H5Idec_ref, LAYER_HDF5, "hx");
EXPORTED int H5Idec_ref(hid_t id)
{
    LINKED(H5Idec_ref);
    struct call call;
    if (!hdf5_is_in_file(site->library, id) || !call_begin(&call, &function_H5Idec_ref)) return real(id);
    int left = real(id);
    if (left == 0) hdf5_given_up(&call, site->library, id, left);
    else call_end(&call);
    return left;
}

/* Waits for what the functions that end in `_async` have begun; a set of events belongs to no file. */
FUNCTION(H5ESwait, LAYER_HDF5, "x");
EXPORTED herr_t H5ESwait(hid_t events, uint64_t most_nanoseconds, size_t *unfinished, bool *has_failed)
{
    LINKED(H5ESwait);
    struct call call;
    if (!call_begin(&call, &function_H5ESwait)) return real(events, most_nanoseconds, unfinished, has_failed);
    herr_t result = real(events, most_nanoseconds, unfinished, has_failed);
    if (call_end(&call)) {
        put_signed(&call, result);
        call_commit(&call);
    }
    return result;
}
