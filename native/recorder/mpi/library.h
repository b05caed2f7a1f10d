/*
 * The MPI library of the process, found out at run time: no header of one is needed, and one recorder fits them all.
 *
 * All handles are passed as `uintptr_t`. Where they are ints (MPICH and those that share its binary interface) the upper
 * half of a register is not part of them; functions that are handed one on do not look at it.
 */
#ifndef IOLENS_MPI_LIBRARY_H
#define IOLENS_MPI_LIBRARY_H

#include "../recorder.h"

/* Room for a status of any library; the largest known has 32 bytes. */
#define STATUS_ROOM 64
/* Larger than what any library's MPI_MAX_LIBRARY_VERSION_STRING allows. */
#define MOST_VERSION_BYTES 8448

struct mpi_library {
    /* Handles are ints. */
    bool has_short_handles;
    uintptr_t world;
    uintptr_t byte_type;
    uintptr_t no_request;
    /* The rank that is none: MPI_PROC_NULL. */
    int no_process;
    /* What a program gives that wants no status, or statuses. */
    void *no_status;
    size_t status_bytes;
    /* Place of MPI_ERROR in a status. */
    size_t status_error_at;
    /* MPI_MODE_…, as open(2) knows them. */
    int append, create, exclusive, write_only, read_write, sequential;
    int seek_current, seek_end, seek_set;
    int (*initialized)(int *);
    int (*finalized)(int *);
    int (*library_version)(char *, int *);
    int (*comm_rank)(uintptr_t, int *);
    int (*comm_size)(uintptr_t, int *);
    /* NULL where there is none. */
    int (*comm_test_inter)(uintptr_t, int *);
    int (*comm_get_name)(uintptr_t, char *, int *);
    int (*comm_group)(uintptr_t, uintptr_t *);
    int (*group_translate_ranks)(uintptr_t, int, const int *, uintptr_t, int *);
    int (*group_free)(uintptr_t *);
    int (*type_size)(uintptr_t, int *);
    /* The same in 64 bits; NULL before MPI 3. */
    int (*type_size_long)(uintptr_t, int64_t *);
    int (*type_get_extent)(uintptr_t, intptr_t *, intptr_t *);
    int (*type_get_true_extent)(uintptr_t, intptr_t *, intptr_t *);
    int (*get_elements)(const void *, uintptr_t, int *);
    int (*get_elements_long)(const void *, uintptr_t, int64_t *);
    int (*test_cancelled)(const void *, int *);
    int (*file_get_position)(uintptr_t, int64_t *);
};

/* NULL when it is one that is not known: its calls are not recorded then, and a note says so. */
const struct mpi_library *mpi_library(void *caller);

/* A handle that stands in the program's memory, or in a register. */
static inline uintptr_t handle_of(const struct mpi_library *mpi, uintptr_t value)
{
    return mpi->has_short_handles ? (uint32_t)value : value;
}

static inline uintptr_t handle_at(const struct mpi_library *mpi, const void *place)
{
    uintptr_t handle = 0;
    memcpy(&handle, place, mpi->has_short_handles ? sizeof(uint32_t) : sizeof handle);
    return handle;
}

/* The same in an array. */
static inline uintptr_t handle_in(const struct mpi_library *mpi, const void *handles, size_t index)
{
    size_t bytes = mpi->has_short_handles ? sizeof(uint32_t) : sizeof(uintptr_t);
    return handle_at(mpi, (const uint8_t *)handles + index * bytes);
}

/* Bytes of data in a type that the library has taken as valid. */
int64_t mpi_type_bytes(const struct mpi_library *mpi, uintptr_t type);
/* Whether a file type that begins where the one before it ends leaves no holes. */
bool mpi_is_contiguous(const struct mpi_library *mpi, uintptr_t type);
/* Bytes that a status tells of; −1 when it tells none. */
int64_t mpi_status_bytes(const struct mpi_library *mpi, const void *status);

#endif
