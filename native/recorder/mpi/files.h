/* Files that are open through MPI-IO, and their views. */
#ifndef IOLENS_MPI_FILES_H
#define IOLENS_MPI_FILES_H

#include "library.h"

struct mpi_file {
    uintptr_t handle;
    /* Bytes of the view's elementary type, and whether the view has no holes. */
    int64_t unit;
    bool is_contiguous;
    /* Opened for access in sequence: it has no position of its own. */
    bool is_sequential;
    /* Individual file pointer, in units of the view. */
    int64_t position;
    /* A collective access that was begun and not ended: its request, what it asked for. */
    uint64_t split_request;
    int64_t split_bytes;
};

/* NULL when it was not seen to be opened. */
struct mpi_file *mpi_file(uintptr_t handle);
/* A file was opened, with the mode of MPI. */
void mpi_file_opened(const struct mpi_library *mpi, uintptr_t handle, int mode);
void mpi_file_closed(uintptr_t handle);
/* Asks the library where the individual file pointer stands. */
void mpi_file_locate(const struct mpi_library *mpi, struct mpi_file *file);

/* Letters `o` and `e`: an offset in units of the view, −1 when it is not known. */
void put_mpi_offset(struct call *call, const struct mpi_file *file, int64_t offset);

#endif
