/*
 * Functions of libraries above the C library (HDF5, NetCDF, PnetCDF). A process may have several copies of one: modules of
 * Python bring their own, and a library may be there with and without MPI. Each call goes on to the copy that the code
 * which makes it was linked with, and what else a wrapper wants to know it asks of the same copy.
 *
 * None of their headers is used, so that one recorder fits all their versions: see the types of each layer's header.
 */
#ifndef IOLENS_LIBRARY_H
#define IOLENS_LIBRARY_H

#include "../recorder.h"

#define MOST_QUERIES 16

/* A copy of a library that is loaded. */
struct library {
    /* Where it lies in memory. */
    void *base;
    unsigned layer;
    /* Which of the copies of this layer's library it is, from 0: their handles are numbers that begin anew in each. */
    unsigned copy;
    /* Its functions that wrappers ask, in the order of the layer's list of their names; NULL for those that it has not. */
    void *queries[MOST_QUERIES];
};

/* A place in the program's code that calls a wrapper. */
struct call_site {
    void *caller;
    const struct function *function;
    /* What it would have called without us. */
    void *real;
    const struct library *library;
    /* How often libraries had been unloaded when it was looked for: other code may lie there since. */
    uint32_t unloadings;
};

/* Never NULL; the copy is one without queries when it could not be told. */
const struct call_site *call_site(struct function *function, void *caller);

/* A library was unloaded. */
void call_sites_unloaded(void);

/* Declares `site`, and `real` with the type of the wrapper. */
#define LINKED(name)                                                                                                   \
    const struct call_site *site = call_site(&function_##name, __builtin_return_address(0));                           \
    __typeof__(&name) real = (__typeof__(&name))site->real

/* Names of the functions that wrappers of a layer ask. */
extern const char *const hdf5_queries[MOST_QUERIES];
extern const char *const netcdf_queries[MOST_QUERIES];
extern const char *const pnetcdf_queries[MOST_QUERIES];

/*
 * Around questions: what they call in turn is not the program's doing. The value that the first returns belongs to the
 * second. errno is the program's again afterwards.
 */
struct questions {
    int error;
};
struct questions questions_begin(void);
void questions_end(struct questions questions);

/* Flags of open(2) for the ways in which these libraries open files. */
unsigned flags_of_create(bool is_exclusive);
unsigned flags_of_open(bool is_for_writing);

#endif
