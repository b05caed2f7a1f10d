/* What the wrappers of PnetCDF share. What it has in common with NetCDF stands in netcdf.h. */
#ifndef IOLENS_PNETCDF_H
#define IOLENS_PNETCDF_H

#include "../netcdf/netcdf.h"

#define PNETCDF_CALL(name, roles, parameters, arguments, end)                                                          \
    NETCDF_CALL(name, LAYER_PNETCDF, roles, parameters, arguments, end)

/*
 * The values of a call in memory: of one type of C, or of a type of MPI (`ANY`), whose size is not asked: then bytes are
 * counted in the variable's own type.
 */
#define TYPED_PARAMETERS(values_type) values_type *values
#define TYPED_ARGUMENTS values
#define ANY_PARAMETERS(values_type) values_type *values, int64_t in_memory, uintptr_t memory_type
#define ANY_ARGUMENTS values, in_memory, memory_type

/* The same for several variables. */
#define TYPED_LISTS(values_type) values_type *const *values
#define ANY_LISTS(values_type) values_type *const *values, const int64_t *in_memory, const uintptr_t *memory_types
#define TYPED_LIST_ARGUMENTS values
#define ANY_LIST_ARGUMENTS values, in_memory, memory_types

/* Which way a transfer goes that is begun now and made when the program waits. */
enum direction { READS, WRITES };

/* Bytes of what a call selects; `size`: of a value in memory, 0: the variable's own. */
uint64_t pnetcdf_bytes(const struct library *library, int file, int variable, struct selection selection, uint64_t size);
/* The same for a list of blocks; without counts each is a single value. */
uint64_t pnetcdf_bytes_of_blocks(const struct library *library, int file, int variable, int blocks,
                                 const uint64_t *const *counts, uint64_t size);

/* What follows call_end, with the arguments that the roles say. */
/* "hNbx" */
void pnetcdf_moved(struct call *call, const struct library *library, int file, int variable, uint64_t bytes, int result);
/* "hNbqx" */
void pnetcdf_begun(struct call *call, const struct library *library, int file, int variable, uint64_t bytes,
                   enum direction direction, const int *request, int result);

#endif
