/*
 * Messages of three ranks, each kind once and in all the ways in which arguments do not count: what is in place, what only the
 * root gives, processes that are none, and communicators between groups. The type that does not count is none, so whoever asks
 * about it ends the program.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
static int values[64], received[64];

static void messages(void)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    if (rank == 0) MPI_Send(values, 10, MPI_INT, 1, 5, MPI_COMM_WORLD);
    // The buffer is larger than the message.
    if (rank == 1) MPI_Recv(received, 64, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(values, 3, MPI_INT, right, 6, received, 3, MPI_INT, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv(received, 64, MPI_INT, left, 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(values, 7, MPI_INT, right, 8, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    // From anybody, as a status tells.
    MPI_Irecv(received, 64, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(values, 2, MPI_INT, right, 10, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    // Calls that fail name nothing, wherever they were to name it; a request is outstanding meanwhile.
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int indices[2] = {1 << 30, 1 << 30};
    MPI_Irecv(received, 1, MPI_INT, rank, 11, MPI_COMM_WORLD, &requests[0]);
    if (MPI_Waitsome(2, requests, NULL, indices, statuses) == MPI_SUCCESS) exit(3);
    if (MPI_Waitall(2, NULL, statuses) == MPI_SUCCESS) exit(4);
    if (MPI_Wait(NULL, MPI_STATUS_IGNORE) == MPI_SUCCESS) exit(5);
    if (MPI_Cancel(NULL) == MPI_SUCCESS || MPI_Request_free(NULL) == MPI_SUCCESS) exit(6);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], &statuses[0]);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    // Nobody.
    MPI_Send(values, 10, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD);
    MPI_Recv(received, 10, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(received, 10, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void collectives(void)
{
    MPI_Datatype none = MPI_DATATYPE_NULL;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(values, 4, MPI_INT, 2, MPI_COMM_WORLD);
    if (rank == 1) MPI_Gather(MPI_IN_PLACE, 0, none, received, 2, MPI_INT, 1, MPI_COMM_WORLD);
    else MPI_Gather(values, 2, MPI_INT, NULL, 0, none, 1, MPI_COMM_WORLD);
    if (rank == 0) MPI_Scatter(values, 3, MPI_INT, MPI_IN_PLACE, 0, none, 0, MPI_COMM_WORLD);
    else MPI_Scatter(NULL, 0, none, received, 3, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, none, received, 5, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(values, 6, MPI_INT, received, 6, MPI_INT, MPI_COMM_WORLD);
    if (rank == 0) MPI_Reduce(MPI_IN_PLACE, received, 8, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    else MPI_Reduce(values, NULL, 8, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, received, 9, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Request request;
    MPI_Ibcast(values, 11, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    int counts[3] = {1, 1, 1}, places[3] = {0, 1, 2};
    MPI_Gatherv(values, 1, MPI_INT, received, counts, places, MPI_INT, 2, MPI_COMM_WORLD);
}

/* Ranks 0 and 2 are 1 and 0 of a communicator of their own; and the one of rank 1 faces theirs. */
static void communicators(void)
{
    MPI_Comm half, between;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    int own = 0;
    MPI_Comm_rank(half, &own);
    if (rank == 2) MPI_Send(values, 12, MPI_INT, 1, 3, half);
    if (rank == 0) MPI_Recv(received, 12, MPI_INT, 0, 3, half, MPI_STATUS_IGNORE);
    MPI_Bcast(values, 1, MPI_INT, 0, MPI_COMM_SELF);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 1 ? 2 : 1, 4, &between);
    // The group of rank 1 sends; of the arguments of others than the root none counts there.
    int root = rank == 1 ? MPI_ROOT : 0;
    MPI_Bcast(values, 2, MPI_INT, root, between);
    if (rank == 1) MPI_Send(values, 13, MPI_INT, 0, 3, between);
    if (own == 0 && rank != 1) MPI_Recv(received, 13, MPI_INT, 0, 3, between, MPI_STATUS_IGNORE);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    messages();
    collectives();
    communicators();
    MPI_Finalize();
    return 0;
}
