/* The layer PnetCDF: calls that move several blocks of a variable, or values of several variables, before they return. */
#include "pnetcdf.h"

/* ---- blocks of one variable ---- */

#define MOVES_BLOCKS(name, form, values_type, size)                                                                    \
    PNETCDF_CALL(name, "hNbx",                                                                                         \
                 (int file, int variable, int blocks, const uint64_t *const *starts, const uint64_t *const *counts,    \
                  form##_PARAMETERS(values_type)),                                                                     \
                 (file, variable, blocks, starts, counts, form##_ARGUMENTS),                                           \
                 blocks_moved(&call, site->library, file, variable, blocks, counts, size, result))

static void blocks_moved(struct call *call, const struct library *library, int file, int variable, int blocks,
                         const uint64_t *const *counts, uint64_t size, int result)
{
    if (!call_end(call)) return;
    uint64_t bytes = result == 0 ? pnetcdf_bytes_of_blocks(library, file, variable, blocks, counts, size) : 0;
    pnetcdf_moved(call, library, file, variable, bytes, result);
}

/* ---- several variables: the event has the name of the first, and the bytes of all ---- */

struct variables {
    int count;
    const int *variables;
    int shape;
    const uint64_t *const *starts;
    const uint64_t *const *counts;
    const int64_t *const *strides;
};

static void variables_moved(struct call *call, const struct library *library, int file, struct variables list,
                            uint64_t size, int result)
{
    if (!call_end(call)) return;
    uint64_t bytes = 0;
    for (int i = 0; i < list.count && result == 0; i++) {
        struct selection selection = {list.shape, list.starts == NULL ? NULL : list.starts[i],
                                      list.counts == NULL ? NULL : list.counts[i],
                                      list.strides == NULL ? NULL : list.strides[i]};
        bytes += pnetcdf_bytes(library, file, list.variables[i], selection, size);
    }
    pnetcdf_moved(call, library, file, list.count > 0 ? list.variables[0] : WHOLE_FILE, bytes, result);
}

#define MOVES_VARIABLES(name, parameters, arguments, list, size)                                                       \
    PNETCDF_CALL(name, "hNbx", parameters, arguments, variables_moved(&call, site->library, file, list, size, result))

#define MOVES_ALL_WAYS(direction, type, together, form, values_type, size)                                             \
    MOVES_VARIABLES(ncmpi_m##direction##_var##type##together,                                                          \
                    (int file, int count, int *variables, form##_LISTS(values_type)),                                  \
                    (file, count, variables, form##_LIST_ARGUMENTS),                                                   \
                    ((struct variables){count, variables, ALL, NULL, NULL, NULL}), size)                               \
    MOVES_VARIABLES(ncmpi_m##direction##_var1##type##together,                                                         \
                    (int file, int count, int *variables, const uint64_t *const *starts, form##_LISTS(values_type)),   \
                    (file, count, variables, starts, form##_LIST_ARGUMENTS),                                           \
                    ((struct variables){count, variables, ONE, starts, NULL, NULL}), size)                             \
    MOVES_VARIABLES(ncmpi_m##direction##_vara##type##together,                                                         \
                    (int file, int count, int *variables, const uint64_t *const *starts,                               \
                     const uint64_t *const *counts, form##_LISTS(values_type)),                                        \
                    (file, count, variables, starts, counts, form##_LIST_ARGUMENTS),                                   \
                    ((struct variables){count, variables, BLOCK, starts, counts, NULL}), size)                         \
    MOVES_VARIABLES(ncmpi_m##direction##_vars##type##together,                                                         \
                    (int file, int count, int *variables, const uint64_t *const *starts,                               \
                     const uint64_t *const *counts, const int64_t *const *strides, form##_LISTS(values_type)),         \
                    (file, count, variables, starts, counts, strides, form##_LIST_ARGUMENTS),                          \
                    ((struct variables){count, variables, BLOCK, starts, counts, strides}), size)                      \
    MOVES_VARIABLES(ncmpi_m##direction##_varm##type##together,                                                         \
                    (int file, int count, int *variables, const uint64_t *const *starts,                               \
                     const uint64_t *const *counts, const int64_t *const *strides, const int64_t *const *maps,         \
                     form##_LISTS(values_type)),                                                                       \
                    (file, count, variables, starts, counts, strides, maps, form##_LIST_ARGUMENTS),                    \
                    ((struct variables){count, variables, BLOCK, starts, counts, strides}), size)

#define FOR_ALL(direction, type, form, values_type, constness, size)                                                   \
    MOVES_BLOCKS(ncmpi_##direction##_varn##type, form, constness values_type, size)                                    \
    MOVES_BLOCKS(ncmpi_##direction##_varn##type##_all, form, constness values_type, size)                              \
    MOVES_ALL_WAYS(direction, type, , form, values_type, size)                                                         \
    MOVES_ALL_WAYS(direction, type, _all, form, values_type, size)
#define OF_TYPE(type, c_type)                                                                                          \
    FOR_ALL(get, type, TYPED, c_type, , sizeof(c_type))                                                                \
    FOR_ALL(put, type, TYPED, c_type, const, sizeof(c_type))

NETCDF_TYPES(OF_TYPE)
FOR_ALL(get, , ANY, void, , 0)
FOR_ALL(put, , ANY, void, const, 0)
