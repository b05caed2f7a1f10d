/* The ranks of the replay, and what they wait for. */
#ifndef REPLAYER_RANKS_H
#define REPLAYER_RANKS_H

#include <mpi.h>

extern int rank, size;

/* After MPI_Init. */
void ranks_begin(void);
/* `world`, `self`, or ranks separated by commas. Whoever is in it asks for it at the same place. */
MPI_Comm communicator_at(int index);
/* Waits for a request, and gives up when nothing comes. */
void await(MPI_Request *request, const char *what);
/* sleep, barrier, send_sync, recv_sync. */
void synchronise(void);

#endif
