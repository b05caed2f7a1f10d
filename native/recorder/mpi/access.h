/* What an access of a file is, between its wrapper and the event. */
#ifndef IOLENS_MPI_ACCESS_H
#define IOLENS_MPI_ACCESS_H

#include "files.h"
#include "wrappers.h"

enum transfer { WRITES, READS };

/* Where an access begins. */
enum place {
    /* At an offset that is given. */
    GIVEN,
    /* At the individual file pointer. */
    INDIVIDUAL,
    /* At the pointer that all processes share. */
    SHARED
};

struct access {
    struct call call;
    const struct mpi_library *mpi;
    /* NULL: it was not seen to be opened. */
    struct mpi_file *file;
    uintptr_t handle;
    enum transfer transfer;
    enum place place;
    /* In units of the view; −1 when it is not known. */
    int64_t offset;
    /* Where the library puts how much it moved: the program's own, or that below when the program wants none. */
    void *status;
    uint64_t own_status[STATUS_ROOM / 8];
};

/* False when it is not to be recorded. `offset` counts where it is given. */
PART_OF_WRAPPER bool access_begin(struct access *access, struct function *function, uintptr_t file,
                                  enum transfer transfer, enum place place, int64_t offset)
{
    access->mpi = mpi_call_begin(&access->call, function);
    if (access->mpi == NULL) return false;
    access->handle = file;
    access->file = mpi_file(file);
    access->transfer = transfer;
    access->place = place;
    access->offset = offset;
    if (place == INDIVIDUAL)
        access->offset = access->file == NULL ? -1 : __atomic_load_n(&access->file->position, __ATOMIC_RELAXED);
    return true;
}

/* The status that the library is to fill. What was written needs none: it is all, or an error. */
static inline void *access_status(struct access *access, void *status)
{
    access->status = status;
    if (access->transfer == WRITES || status != access->mpi->no_status) return status;
    memset(access->own_status, 0, sizeof access->own_status);
    return access->status = access->own_status;
}

/* Ends of accesses: that return when the data are moved, that give a request, that are ended by a call of their own. */
void access_done(struct access *access, int64_t count, uintptr_t type, int result);
void access_requested(struct access *access, int64_t count, uintptr_t type, int result, const void *request);
void access_split(struct access *access, int64_t count, uintptr_t type, int result);
/* The call that ends a collective access which was begun. */
void access_ended(struct access *access, int result);

#endif
