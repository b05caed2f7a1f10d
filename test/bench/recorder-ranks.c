/*
 * A parallel program that mostly does I/O: each rank writes its blocks of a shared file, in between its own log, and all
 * read the blocks of their neighbour.
 *
 *   mpirun -n RANKS recorder-ranks STEPS FOLDER      prints seconds, those of the slowest rank
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes; steps after which a rank begins at its first block again. */
enum { BLOCK = 1 << 17, PLACES = 256 };

static char block[BLOCK];

static void write_steps(MPI_File shared, FILE *log, int rank, int ranks, int steps)
{
    for (int step = 0; step < steps; step++) {
        MPI_Offset place = ((MPI_Offset)(step % PLACES) * ranks + rank) * BLOCK;
        memset(block, step + rank, sizeof block);
        MPI_File_write_at(shared, place, block, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
        fprintf(log, "step %d of rank %d\n", step, rank);
    }
}

static long read_steps(MPI_File shared, int neighbour, int ranks, int steps)
{
    long sum = 0;
    for (int step = 0; step < steps; step++) {
        MPI_Offset place = ((MPI_Offset)(step % PLACES) * ranks + neighbour) * BLOCK;
        MPI_File_read_at(shared, place, block, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
        for (int i = 0; i < BLOCK; i += 64) sum += block[i];
    }
    return sum;
}

int main(int count, char **values)
{
    int rank, ranks;
    char name[4096];
    MPI_File shared;
    MPI_Init(&count, &values);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (count != 3) MPI_Abort(MPI_COMM_WORLD, 2);
    int steps = atoi(values[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    snprintf(name, sizeof name, "%s/shared.bin", values[2]);
    if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &shared) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    snprintf(name, sizeof name, "%s/rank-%d.log", values[2], rank);
    FILE *log = fopen(name, "w");
    if (log == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    write_steps(shared, log, rank, ranks, steps);
    MPI_Barrier(MPI_COMM_WORLD);
    long sum = read_steps(shared, (rank + 1) % ranks, ranks, steps);
    fclose(log);
    MPI_File_close(&shared);
    double seconds = MPI_Wtime() - start, slowest;
    MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%.4f\n", slowest + (sum == 1 ? 1e-9 : 0));
    return MPI_Finalize();
}
