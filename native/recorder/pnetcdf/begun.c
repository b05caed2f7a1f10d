/* The layer PnetCDF: calls that begin transfers, which are made when the program waits for them (requests.c). */
#include "pnetcdf.h"

#define BEGINS(name, parameters, arguments, direction, bytes)                                                          \
    PNETCDF_CALL(name, "hNbqx", parameters, arguments,                                                                 \
                 if (call_end(&call))                                                                                  \
                     pnetcdf_begun(&call, site->library, file, variable, bytes, direction, request, result))

#define BEGINS_SELECTION(name, parameters, arguments, direction, size, ...)                                            \
    BEGINS(name, parameters, arguments, direction,                                                                     \
           pnetcdf_bytes(site->library, file, variable, (struct selection){__VA_ARGS__}, size))

/* For one way (`iget`, `iput`, `bput`) and one type. */
#define BEGINS_ALL_WAYS(way, direction, type, form, values_type, size)                                                 \
    BEGINS_SELECTION(ncmpi_##way##_var##type, (int file, int variable, form##_PARAMETERS(values_type), int *request),  \
                     (file, variable, form##_ARGUMENTS, request), direction, size, ALL, NULL, NULL, NULL)              \
    BEGINS_SELECTION(ncmpi_##way##_var1##type,                                                                         \
                     (int file, int variable, const uint64_t *index, form##_PARAMETERS(values_type), int *request),    \
                     (file, variable, index, form##_ARGUMENTS, request), direction, size, ONE, index, NULL, NULL)      \
    BEGINS_SELECTION(ncmpi_##way##_vara##type,                                                                         \
                     (int file, int variable, const uint64_t *start, const uint64_t *count,                            \
                      form##_PARAMETERS(values_type), int *request),                                                   \
                     (file, variable, start, count, form##_ARGUMENTS, request), direction, size, BLOCK, start, count,  \
                     NULL)                                                                                             \
    BEGINS_SELECTION(ncmpi_##way##_vars##type,                                                                         \
                     (int file, int variable, const uint64_t *start, const uint64_t *count, const int64_t *stride,     \
                      form##_PARAMETERS(values_type), int *request),                                                   \
                     (file, variable, start, count, stride, form##_ARGUMENTS, request), direction, size, BLOCK, start, \
                     count, stride)                                                                                    \
    BEGINS_SELECTION(ncmpi_##way##_varm##type,                                                                         \
                     (int file, int variable, const uint64_t *start, const uint64_t *count, const int64_t *stride,     \
                      const int64_t *map, form##_PARAMETERS(values_type), int *request),                               \
                     (file, variable, start, count, stride, map, form##_ARGUMENTS, request), direction, size, BLOCK,   \
                     start, count, stride)                                                                             \
    BEGINS(ncmpi_##way##_varn##type,                                                                                   \
           (int file, int variable, int blocks, const uint64_t *const *starts, const uint64_t *const *counts,          \
            form##_PARAMETERS(values_type), int *request),                                                             \
           (file, variable, blocks, starts, counts, form##_ARGUMENTS, request), direction,                             \
           pnetcdf_bytes_of_blocks(site->library, file, variable, blocks, counts, size))

#define OF_TYPE(type, c_type)                                                                                          \
    BEGINS_ALL_WAYS(iget, READS, type, TYPED, c_type, sizeof(c_type))                                                  \
    BEGINS_ALL_WAYS(iput, WRITES, type, TYPED, c_type const, sizeof(c_type))                                           \
    BEGINS_ALL_WAYS(bput, WRITES, type, TYPED, c_type const, sizeof(c_type))

NETCDF_TYPES(OF_TYPE)
BEGINS_ALL_WAYS(iget, READS, , ANY, void, 0)
BEGINS_ALL_WAYS(iput, WRITES, , ANY, void const, 0)
BEGINS_ALL_WAYS(bput, WRITES, , ANY, void const, 0)
