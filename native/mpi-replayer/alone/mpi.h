/*
 * Stands in for MPI where a replay makes no calls of it: its ranks are processes that one process of this machine forks
 * (ranks-alone.c). What the replayer's other sources use of MPI, and no more.
 */
#ifndef REPLAYER_ALONE_MPI_H
#define REPLAYER_ALONE_MPI_H

#include <stdint.h>

typedef int64_t MPI_Offset;
typedef int MPI_Comm, MPI_Datatype, MPI_File, MPI_Request;

enum { MPI_SUCCESS, MPI_BYTE, MPI_COMM_WORLD };
#define MPI_MAX_ERROR_STRING 64

/* Forks as many ranks as the variable REPLAYER_RANKS says, and returns in each of them; the process itself waits and ends. */
int MPI_Init(int *count, char ***arguments);
int MPI_Finalize(void);
int MPI_Barrier(MPI_Comm communicator);
void MPI_Abort(MPI_Comm communicator, int status) __attribute__((noreturn));
int MPI_Error_string(int code, char *text, int *length);
double MPI_Wtime(void);
int MPI_File_close(MPI_File *file);
int MPI_File_sync(MPI_File file);

#endif
