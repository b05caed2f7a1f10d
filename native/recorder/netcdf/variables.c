/* The layer NetCDF: values of variables. Bytes are those of the type that the program has in memory. */
#include "netcdf.h"

#define MOVES(name, parameters, arguments, selection, size)                                                            \
    NETCDF_CALL(name, LAYER_NETCDF, "hNbx", parameters, arguments,                                                     \
                netcdf_moved(&call, site->library, file, variable, selection, size, result))

/* For one direction and one type: `values` is `const` where they are written, `size` 0 where the variable's type says it. */
#define MOVES_ALL_WAYS(direction, type, values_type, size)                                                             \
    MOVES(nc_##direction##_var##type, (int file, int variable, values_type *values), (file, variable, values),         \
          ((struct selection){ALL, NULL, NULL, NULL}), size)                                                           \
    MOVES(nc_##direction##_var1##type, (int file, int variable, const uint64_t *index, values_type *values),           \
          (file, variable, index, values), ((struct selection){ONE, index, NULL, NULL}), size)                         \
    MOVES(nc_##direction##_vara##type,                                                                                 \
          (int file, int variable, const uint64_t *start, const uint64_t *count, values_type *values),                 \
          (file, variable, start, count, values), ((struct selection){BLOCK, start, count, NULL}), size)               \
    MOVES(nc_##direction##_vars##type,                                                                                 \
          (int file, int variable, const uint64_t *start, const uint64_t *count, const int64_t *stride,                \
           values_type *values),                                                                                       \
          (file, variable, start, count, stride, values), ((struct selection){BLOCK, start, count, stride}), size)     \
    MOVES(nc_##direction##_varm##type,                                                                                 \
          (int file, int variable, const uint64_t *start, const uint64_t *count, const int64_t *stride,                \
           const int64_t *map, values_type *values),                                                                   \
          (file, variable, start, count, stride, map, values), ((struct selection){BLOCK, start, count, stride}), size)

#define OF_TYPE(type, c_type)                                                                                          \
    MOVES_ALL_WAYS(get, type, c_type, sizeof(c_type))                                                                  \
    MOVES_ALL_WAYS(put, type, c_type const, sizeof(c_type))

NETCDF_TYPES(OF_TYPE)
OF_TYPE(_ubyte, unsigned char)
/* A string counts as the pointer to it, as all values of variable length do. */
MOVES_ALL_WAYS(get, _string, char *, sizeof(char *))
MOVES_ALL_WAYS(put, _string, const char *, sizeof(char *))
MOVES_ALL_WAYS(get, , void, 0)
MOVES_ALL_WAYS(put, , void const, 0)
