/* Writes and reads a shared file in small pieces, as much as the storage takes, for the cost of recording it.
 * usage: shared_file FILE MIB [ROUNDS]      with any number of ranks
 * Each rank has its part of MIB mebibytes. A round writes it in pieces of 4, 16 and 64 KiB and reads it back, at offsets of
 * its own; then all ranks write and read together, their pieces of 64 KiB side by side. Prints the seconds from the opening
 * of the file to its closing, of the slowest rank, and the calls of MPI-IO of all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIB = 1024, SMALLEST = 4 * KIB, LARGEST = 64 * KIB };
static int rank, size;
static long calls;

static void check(int result, const char *what)
{
    calls++;
    if (result == MPI_SUCCESS) return;
    fprintf(stderr, "rank %d: %s failed\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void write_part(MPI_File file, long part, int piece, const char *data)
{
    for (long at = 0; at < part; at += piece)
        check(MPI_File_write_at(file, rank * part + at, data, piece, MPI_BYTE, MPI_STATUS_IGNORE), "write_at");
}

static void read_part(MPI_File file, long part, int piece, char *data)
{
    for (long at = 0; at < part; at += piece)
        check(MPI_File_read_at(file, rank * part + at, data, piece, MPI_BYTE, MPI_STATUS_IGNORE), "read_at");
}

static void write_together(MPI_File file, long part, const char *data)
{
    for (long at = 0; at < part; at += LARGEST)
        check(MPI_File_write_at_all(file, at * size + rank * LARGEST, data, LARGEST, MPI_BYTE, MPI_STATUS_IGNORE),
              "write_at_all");
}

static void read_together(MPI_File file, long part, char *data)
{
    for (long at = 0; at < part; at += LARGEST)
        check(MPI_File_read_at_all(file, at * size + rank * LARGEST, data, LARGEST, MPI_BYTE, MPI_STATUS_IGNORE),
              "read_at_all");
}

static void transfer(MPI_File file, long part, int rounds, char *data)
{
    for (int round = 0; round < rounds; round++) {
        for (int piece = SMALLEST; piece <= LARGEST; piece *= 4) {
            write_part(file, part, piece, data);
            read_part(file, part, piece, data);
        }
        write_together(file, part, data);
        read_together(file, part, data);
    }
}

int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long part = count < 3 ? 0 : atol(arguments[2]) * KIB * KIB;
    int rounds = count < 4 ? 1 : atoi(arguments[3]);
    if (part <= 0 || rounds <= 0) {
        if (rank == 0) fprintf(stderr, "usage: shared_file FILE MIB [ROUNDS]\n");
        MPI_Finalize();
        return 2;
    }
    char *data = malloc(LARGEST);
    memset(data, 'a' + rank % 26, LARGEST);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime(), own, slowest;
    long all;
    MPI_File file;
    check(MPI_File_open(MPI_COMM_WORLD, arguments[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file), "open");
    transfer(file, part, rounds, data);
    check(MPI_File_close(&file), "close");
    own = MPI_Wtime() - start;
    MPI_Reduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&calls, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%.6f s, %ld calls\n", slowest, all);
    free(data);
    MPI_Finalize();
    return 0;
}
