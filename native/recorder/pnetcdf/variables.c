/* The layer PnetCDF: calls that move values of one variable before they return. */
#include "pnetcdf.h"

#define MOVES(name, parameters, arguments, selection, size)                                                            \
    PNETCDF_CALL(name, "hNbx", parameters, arguments,                                                                  \
                 netcdf_moved(&call, site->library, file, variable, selection, size, result))

/* For one direction, one type, and calls of each process (`together` is nothing) or of all (`_all`). */
#define MOVES_ALL_WAYS(direction, type, together, form, values_type, size)                                             \
    MOVES(ncmpi_##direction##_var##type##together, (int file, int variable, form##_PARAMETERS(values_type)),           \
          (file, variable, form##_ARGUMENTS), ((struct selection){ALL, NULL, NULL, NULL}), size)                       \
    MOVES(ncmpi_##direction##_var1##type##together,                                                                    \
          (int file, int variable, const uint64_t *index, form##_PARAMETERS(values_type)),                             \
          (file, variable, index, form##_ARGUMENTS), ((struct selection){ONE, index, NULL, NULL}), size)               \
    MOVES(ncmpi_##direction##_vara##type##together,                                                                    \
          (int file, int variable, const uint64_t *start, const uint64_t *count, form##_PARAMETERS(values_type)),      \
          (file, variable, start, count, form##_ARGUMENTS), ((struct selection){BLOCK, start, count, NULL}), size)     \
    MOVES(ncmpi_##direction##_vars##type##together,                                                                    \
          (int file, int variable, const uint64_t *start, const uint64_t *count, const int64_t *stride,                \
           form##_PARAMETERS(values_type)),                                                                            \
          (file, variable, start, count, stride, form##_ARGUMENTS),                                                    \
          ((struct selection){BLOCK, start, count, stride}), size)                                                     \
    MOVES(ncmpi_##direction##_varm##type##together,                                                                    \
          (int file, int variable, const uint64_t *start, const uint64_t *count, const int64_t *stride,                \
           const int64_t *map, form##_PARAMETERS(values_type)),                                                        \
          (file, variable, start, count, stride, map, form##_ARGUMENTS),                                               \
          ((struct selection){BLOCK, start, count, stride}), size)

#define FOR_ALL(direction, type, form, values_type, size)                                                              \
    MOVES_ALL_WAYS(direction, type, , form, values_type, size)                                                         \
    MOVES_ALL_WAYS(direction, type, _all, form, values_type, size)
#define OF_TYPE(type, c_type)                                                                                          \
    FOR_ALL(get, type, TYPED, c_type, sizeof(c_type))                                                                  \
    FOR_ALL(put, type, TYPED, c_type const, sizeof(c_type))

NETCDF_TYPES(OF_TYPE)
FOR_ALL(get, , ANY, void, 0)
FOR_ALL(put, , ANY, void const, 0)

/* Where the values lie in the file is a type of MPI: the library is asked what it has moved. */
static uint64_t bytes_so_far(const struct library *library, enum netcdf_query query, int file)
{
    int64_t bytes = 0;
    if (library->queries[query] == NULL) return 0;
    struct questions questions = questions_begin();
    int result = ((int (*)(int, int64_t *))library->queries[query])(file, &bytes);
    questions_end(questions);
    return result == 0 ? (uint64_t)bytes : 0;
}

#define MOVES_TYPE(name, constness, query)                                                                             \
    FUNCTION(name, LAYER_PNETCDF, "hNbx");                                                                             \
    EXPORTED int name(int file, int variable, uintptr_t file_type, ANY_PARAMETERS(constness void))                     \
    {                                                                                                                  \
        LINKED(name);                                                                                                  \
        struct call call;                                                                                              \
        if (!call_begin(&call, &function_##name)) return real(file, variable, file_type, ANY_ARGUMENTS);               \
        uint64_t before = bytes_so_far(site->library, query, file);                                                    \
        int result = real(file, variable, file_type, ANY_ARGUMENTS);                                                   \
        if (call_end(&call))                                                                                           \
            pnetcdf_moved(&call, site->library, file, variable, bytes_so_far(site->library, query, file) - before, result); \
        return result;                                                                                                 \
    }

MOVES_TYPE(ncmpi_get_vard, , BYTES_GOT)
MOVES_TYPE(ncmpi_get_vard_all, , BYTES_GOT)
MOVES_TYPE(ncmpi_put_vard, const, BYTES_PUT)
MOVES_TYPE(ncmpi_put_vard_all, const, BYTES_PUT)
