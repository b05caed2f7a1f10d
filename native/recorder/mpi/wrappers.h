/*
 * Wrappers of MPI's functions. Each has two names: programs call MPI_…, the Fortran bindings of Open MPI and tools PMPI_….
 * Whichever a call comes in by, it is one event of the name MPI_…: a call made inside of another is not recorded.
 *
 *     BOTH_NAMES(File_sync, "hx", (uintptr_t file), (file))
 *
 * defines both (BOTH_NAMES_OF: of another layer than MPI-IO), and is followed by the body that they share, which is given the
 * function that is recorded, `real` and the parameters. It becomes part of each wrapper: stacks begin at its frame.
 */
#ifndef IOLENS_MPI_WRAPPERS_H
#define IOLENS_MPI_WRAPPERS_H

#include "library.h"

#define PART_OF_WRAPPER static inline __attribute__((always_inline))

#define WITHOUT_PARENTHESES(...) __VA_ARGS__

#define BOTH_NAMES(name, roles, parameters, arguments)                                                                 \
    BOTH_NAMES_OF(LAYER_MPI_IO, name, roles, parameters, arguments)

#define BOTH_NAMES_OF(layer, name, roles, parameters, arguments)                                                       \
    FUNCTION(MPI_##name, layer, roles);                                                                                \
    FUNCTION(PMPI_##name, layer, roles);                                                                               \
    PART_OF_WRAPPER int wrap_##name(struct function *function, int(*real) parameters,                                  \
                                    WITHOUT_PARENTHESES parameters);                                                   \
    EXPORTED int MPI_##name parameters                                                                                 \
    {                                                                                                                  \
        REAL(MPI_##name);                                                                                              \
        return wrap_##name(&function_MPI_##name, real, WITHOUT_PARENTHESES arguments);                                 \
    }                                                                                                                  \
    EXPORTED int PMPI_##name parameters                                                                                \
    {                                                                                                                  \
        REAL(PMPI_##name);                                                                                             \
        return wrap_##name(&function_MPI_##name, real, WITHOUT_PARENTHESES arguments);                                 \
    }                                                                                                                  \
    PART_OF_WRAPPER int wrap_##name(__attribute__((unused)) struct function *function, int(*real) parameters,          \
                                    WITHOUT_PARENTHESES parameters)

/* The code that called the wrapper. */
#define CALLER __builtin_return_address(0)

/* The library; NULL when the call is not to be recorded. Otherwise its start is noted. */
PART_OF_WRAPPER const struct mpi_library *mpi_call_begin(struct call *call, struct function *function)
{
    if ((settings.layers >> LAYER_MPI_IO & 1) == 0) return NULL;
    const struct mpi_library *mpi = mpi_library(CALLER);
    return mpi != NULL && call_begin(call, function) ? mpi : NULL;
}

#endif
