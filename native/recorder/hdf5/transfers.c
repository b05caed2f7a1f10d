/* The layer HDF5: reading and writing data sets and attributes. Bytes are those of the type that the program has in memory. */
#include "hdf5.h"

#define TRANSFERS_SET(name, constness)                                                                                 \
    FUNCTION(name, LAYER_HDF5, "hbgx");                                                                                \
    EXPORTED herr_t name(hid_t set, hid_t type, hid_t memory, hid_t file, hid_t properties, constness void *buffer)    \
    {                                                                                                                  \
        LINKED(name);                                                                                                  \
        struct call call;                                                                                              \
        if (!call_begin(&call, &function_##name)) return real(set, type, memory, file, properties, buffer);            \
        hdf5_described(&call, site->library, set);                                                                     \
        herr_t result = real(set, type, memory, file, properties, buffer);                                             \
        struct hdf5_sets sets = {1, &set, &type, &memory, &file, properties};                                          \
        hdf5_transferred(&call, site->library, &sets, result);                                                         \
        return result;                                                                                                 \
    }

TRANSFERS_SET(H5Dread, )
TRANSFERS_SET(H5Dwrite, const)

#define TRANSFERS_SET_LATER(name, constness)                                                                           \
    FUNCTION(name, LAYER_HDF5, "hbgx");                                                                                \
    EXPORTED herr_t name(HDF5_LATER_IN, hid_t set, hid_t type, hid_t memory, hid_t file, hid_t properties,             \
                         constness void *buffer, hid_t events)                                                         \
    {                                                                                                                  \
        LINKED(name);                                                                                                  \
        struct call call;                                                                                              \
        if (!call_begin(&call, &function_##name))                                                                      \
            return real(HDF5_LATER, set, type, memory, file, properties, buffer, events);                              \
        hdf5_described(&call, site->library, set);                                                                     \
        herr_t result = real(HDF5_LATER, set, type, memory, file, properties, buffer, events);                         \
        struct hdf5_sets sets = {1, &set, &type, &memory, &file, properties};                                          \
        hdf5_transferred(&call, site->library, &sets, result);                                                         \
        return result;                                                                                                 \
    }

TRANSFERS_SET_LATER(H5Dread_async, )
TRANSFERS_SET_LATER(H5Dwrite_async, const)

/* Several data sets at once: the event has the handle of the first and the bytes of all. */
#define TRANSFERS_SETS(name, parameters, arguments)                                                                    \
    FUNCTION(name, LAYER_HDF5, "hbgx");                                                                                \
    EXPORTED herr_t name parameters                                                                                    \
    {                                                                                                                  \
        LINKED(name);                                                                                                  \
        struct call call;                                                                                              \
        if (count == 0 || sets == NULL || types == NULL || memory == NULL || file == NULL ||                           \
            !call_begin(&call, &function_##name))                                                                      \
            return real arguments;                                                                                     \
        for (size_t i = 0; i < count; i++) hdf5_described(&call, site->library, sets[i]);                              \
        herr_t result = real arguments;                                                                                \
        struct hdf5_sets all = {count, sets, types, memory, file, properties};                                         \
        hdf5_transferred(&call, site->library, &all, result);                                                          \
        return result;                                                                                                 \
    }

#define SETS size_t count, const hid_t *sets, const hid_t *types, const hid_t *memory, const hid_t *file, hid_t properties
#define ALL_SETS count, sets, types, memory, file, properties

TRANSFERS_SETS(H5Dread_multi, (SETS, void **buffers), (ALL_SETS, buffers))
TRANSFERS_SETS(H5Dwrite_multi, (SETS, const void **buffers), (ALL_SETS, buffers))
TRANSFERS_SETS(H5Dread_multi_async, (HDF5_LATER_IN, SETS, void **buffers, hid_t events),
               (HDF5_LATER, ALL_SETS, buffers, events))
TRANSFERS_SETS(H5Dwrite_multi_async, (HDF5_LATER_IN, SETS, const void **buffers, hid_t events),
               (HDF5_LATER, ALL_SETS, buffers, events))

/* A chunk as it lies in the file, past all filters. */
#define TRANSFERS_CHUNK(name, parameters, arguments, place, size)                                                      \
    FUNCTION(name, LAYER_HDF5, "hbgx");                                                                                \
    EXPORTED herr_t name parameters                                                                                    \
    {                                                                                                                  \
        LINKED(name);                                                                                                  \
        struct call call;                                                                                              \
        if (!call_begin(&call, &function_##name)) return real arguments;                                               \
        hdf5_described(&call, site->library, set);                                                                     \
        herr_t result = real arguments;                                                                                \
        struct hdf5_chunk chunk = {set, properties, place, size};                                                      \
        hdf5_chunk_transferred(&call, site->library, &chunk, result);                                                  \
        return result;                                                                                                 \
    }

TRANSFERS_CHUNK(H5Dwrite_chunk,
                (hid_t set, hid_t properties, uint32_t filters, const hsize_t *offset, size_t size, const void *buffer),
                (set, properties, filters, offset, size, buffer), NULL, size)
TRANSFERS_CHUNK(H5Dread_chunk1, (hid_t set, hid_t properties, const hsize_t *offset, uint32_t *filters, void *buffer),
                (set, properties, offset, filters, buffer), offset, 0)
TRANSFERS_CHUNK(H5Dread_chunk, (hid_t set, hid_t properties, const hsize_t *offset, uint32_t *filters, void *buffer),
                (set, properties, offset, filters, buffer), offset, 0)
TRANSFERS_CHUNK(H5Dread_chunk2,
                (hid_t set, hid_t properties, const hsize_t *offset, uint32_t *filters, void *buffer, size_t *size),
                (set, properties, offset, filters, buffer, size), offset, 0)

#define TRANSFERS_ATTRIBUTE(name, parameters, arguments)                                                               \
    FUNCTION(name, LAYER_HDF5, "hbx");                                                                                 \
    EXPORTED herr_t name parameters                                                                                    \
    {                                                                                                                  \
        LINKED(name);                                                                                                  \
        struct call call;                                                                                              \
        if (!call_begin(&call, &function_##name)) return real arguments;                                               \
        hdf5_described(&call, site->library, attribute);                                                               \
        herr_t result = real arguments;                                                                                \
        hdf5_attribute_transferred(&call, site->library, attribute, type, result);                                     \
        return result;                                                                                                 \
    }

TRANSFERS_ATTRIBUTE(H5Aread, (hid_t attribute, hid_t type, void *buffer), (attribute, type, buffer))
TRANSFERS_ATTRIBUTE(H5Awrite, (hid_t attribute, hid_t type, const void *buffer), (attribute, type, buffer))
TRANSFERS_ATTRIBUTE(H5Aread_async, (HDF5_LATER_IN, hid_t attribute, hid_t type, void *buffer, hid_t events),
                    (HDF5_LATER, attribute, type, buffer, events))
TRANSFERS_ATTRIBUTE(H5Awrite_async, (HDF5_LATER_IN, hid_t attribute, hid_t type, const void *buffer, hid_t events),
                    (HDF5_LATER, attribute, type, buffer, events))
