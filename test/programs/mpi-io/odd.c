/* What else programs do with MPI-IO. usage: odd KIND FILE      with 2 ranks
 *   large    counts of 64 bits, where the library has them (MPI 4)
 *   threads  four threads of each rank write to a file each
 *   fatal    an error in a file's handler that ends the program
 *   abort    MPI_Abort after a few calls
 *   many     requests without end: 20000 are outstanding at once */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4, WRITES = 200, MANY = 20000 };
static int rank;
static const char *path;

static MPI_File open_file(MPI_Comm communicator, int number)
{
    char name[4200];
    MPI_File file;
    snprintf(name, sizeof name, "%s.%d", path, number);
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
    if (MPI_File_open(communicator, name, mode, MPI_INFO_NULL, &file) != MPI_SUCCESS) exit(3);
    return file;
}

static void large(void)
{
#if MPI_VERSION >= 4
    char bytes[64] = "";
    MPI_File file = open_file(MPI_COMM_SELF, rank);
    MPI_Request request;
    MPI_File_write_at_c(file, 0, bytes, (MPI_Count)sizeof bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_write_c(file, bytes, (MPI_Count)sizeof bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_iread_at_c(file, 0, bytes, (MPI_Count)sizeof bytes, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
#endif
}

static void *write_alone(void *number)
{
    /* MPICH's ROMIO makes an MPI_Op when the first file is opened, without a lock: of two at once one gets none. */
    static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
    char bytes[64] = "";
    pthread_mutex_lock(&opening);
    MPI_File file = open_file(MPI_COMM_SELF, rank * THREADS + (int)(size_t)number);
    pthread_mutex_unlock(&opening);
    for (int i = 0; i < WRITES; i++) {
        MPI_Request request;
        MPI_File_write(file, bytes, sizeof bytes, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_File_iwrite_at(file, i, bytes, 1, MPI_BYTE, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    return NULL;
}

static void threads(void)
{
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, write_alone, (void *)i);
    for (size_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

static void fatal(void)
{
    char byte = 0;
    MPI_File file = open_file(MPI_COMM_SELF, rank);
    MPI_File_write(file, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    /* One of them: of two that end the program at once the launcher may report either, or both. */
    if (rank != 0) MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL);
    MPI_File_write_at(file, 0, &byte, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE);
}

static void abort_all(void)
{
    char byte = 0;
    MPI_File file = open_file(MPI_COMM_SELF, rank);
    for (int i = 0; i < 3; i++) MPI_File_write(file, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 7);
    sleep(100);
}

static void many(void)
{
    static MPI_Request requests[MANY];
    char byte = 0;
    MPI_File file = open_file(MPI_COMM_SELF, rank);
    for (int i = 0; i < MANY; i++) MPI_File_iwrite_at(file, i, &byte, 1, MPI_BYTE, &requests[i]);
    MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
    MPI_File_close(&file);
}

int main(int count, char **arguments)
{
    int given;
    if (count < 3) return 2;
    const char *kind = arguments[1];
    path = arguments[2];
    MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(kind, "large") == 0) large();
    else if (strcmp(kind, "threads") == 0) threads();
    else if (strcmp(kind, "fatal") == 0) fatal();
    else if (strcmp(kind, "abort") == 0) abort_all();
    else if (strcmp(kind, "many") == 0) many();
    MPI_Finalize();
    return 0;
}
