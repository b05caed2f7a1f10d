/*
 * What NetCDF and PnetCDF have in common: the second took over the first one's way of naming and selecting. Numbers of
 * variables, dimensions and types are ints; MPI_Offset, size_t and ptrdiff_t have 64 bits.
 */
#ifndef IOLENS_NETCDF_H
#define IOLENS_NETCDF_H

#include "../linking/library.h"

#if SIZE_MAX != UINT64_MAX
#error "lengths and offsets are taken to be 64 bits wide"
#endif

/* What is asked of a library; each lacks some of these. */
enum netcdf_query {
    VARIABLE_NAME,
    VARIABLE_TYPE,
    VARIABLE_RANK,
    VARIABLE_DIMENSIONS,
    DIMENSION_LENGTH,
    ATTRIBUTE_LENGTH,
    ATTRIBUTE_TYPE,
    TYPE,
    GROUP_NAME,
    BYTES_PUT,
    BYTES_GOT
};

/* The variable of attributes that belong to the file or group. */
#define WHOLE_FILE (-1)

/* Which values of a variable a call moves. */
struct selection {
    enum { ALL, ONE, BLOCK } shape;
    const uint64_t *start;
    /* Of a block: values in each dimension; NULL: to the end. */
    const uint64_t *count;
    const int64_t *stride;
};

/* The number of a file or group, 0 when there is none. */
uint64_t netcdf_handle(const struct library *library, int file);
/* A variable's name, with its group's in front of it where that is not the file's. */
void put_variable(struct call *call, const struct library *library, int file, int variable);
/* An attribute's name as the text form of these files has it: `variable:attribute`, `:attribute` for the file's own. */
void put_attribute(struct call *call, const struct library *library, int file, int variable, const char *name);

/* Bytes of a type in the file; 0 when it is not known. */
uint64_t netcdf_type_size(const struct library *library, int file, int type);
int netcdf_type_of_variable(const struct library *library, int file, int variable);
/* Values of one transfer; 0 when it could not be asked. */
uint64_t netcdf_values(const struct library *library, int file, int variable, struct selection selection);

/* Ends of calls, with the arguments that their roles say. `size`: bytes of a value in memory; 0: the variable's own. */
/* "plhx" */
void netcdf_opened(struct call *call, const struct library *library, const char *path, unsigned flags, const int *file, int result);
/* "hx" */
void netcdf_done(struct call *call, const struct library *library, int file, int result);
/* "hNx" */
void netcdf_done_named(struct call *call, const struct library *library, int file, const char *name, int result);
/* "hNx" */
void netcdf_done_attribute(struct call *call, const struct library *library, int file, int variable, const char *name, int result);
/* "hNbx" */
void netcdf_moved(struct call *call, const struct library *library, int file, int variable, struct selection selection,
                  uint64_t size, int result);
/* "hNbx"; `values` as the program says it, or asked where it is negative. */
void netcdf_moved_attribute(struct call *call, const struct library *library, int file, int variable, const char *name,
                            int64_t values, uint64_t size, int type, int result);

/* A call of LAYER that does something with a file; `end` is what is done at its end. */
#define NETCDF_CALL(name, layer, roles, parameters, arguments, end)                                                    \
    FUNCTION(name, layer, roles);                                                                                      \
    EXPORTED int name parameters                                                                                       \
    {                                                                                                                  \
        LINKED(name);                                                                                                  \
        struct call call;                                                                                              \
        if (!call_begin(&call, &function_##name)) return real arguments;                                               \
        int result = real arguments;                                                                                   \
        end;                                                                                                           \
        return result;                                                                                                 \
    }

/* The types that a program's values may have: as the functions' names say it, and in C. */
#define NETCDF_TYPES(OF_TYPE)                                                                                          \
    OF_TYPE(_text, char)                                                                                               \
    OF_TYPE(_schar, signed char)                                                                                       \
    OF_TYPE(_uchar, unsigned char)                                                                                     \
    OF_TYPE(_short, short)                                                                                             \
    OF_TYPE(_ushort, unsigned short)                                                                                   \
    OF_TYPE(_int, int)                                                                                                 \
    OF_TYPE(_uint, unsigned int)                                                                                       \
    OF_TYPE(_long, long)                                                                                               \
    OF_TYPE(_float, float)                                                                                             \
    OF_TYPE(_double, double)                                                                                           \
    OF_TYPE(_longlong, long long)                                                                                      \
    OF_TYPE(_ulonglong, unsigned long long)

#endif
