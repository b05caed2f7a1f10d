/* Operations of MPI-IO. */
#ifndef REPLAYER_MPI_IO_H
#define REPLAYER_MPI_IO_H

#include "files.h"

void mpi_open(void);
/* mpi_read and mpi_write: SLOT position blocking collective OFFSET COUNT TYPE. All calls of MPI-2 and their like of MPI-3.1. */
void mpi_transfer(int is_read);
/* All others. */
void mpi_other(void);
/* The transfers of a file that are under way. */
void wait_for(struct slot *slot);

#endif
