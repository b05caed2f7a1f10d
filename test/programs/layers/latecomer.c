/* Collective writes wait for the last rank.
 * usage: latecomer late|punctual FILE
 *   late      the last rank computes longer than the others before each write
 *   punctual  all compute equally long */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 24, BYTES = 65536 };
static char data[BYTES];
static int rank, size;

static void compute(int microseconds)
{
    usleep(microseconds);
}

static void save(MPI_File file, int step)
{
    MPI_File_write_at_all(file, (MPI_Offset)(step * size + rank) * BYTES, data, BYTES, MPI_BYTE, MPI_STATUS_IGNORE); /* FINDING waits */
}

int main(int argc, char **argv)
{
    MPI_File file;
    if (argc != 3)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Info info; /* the ranks' pieces touch without interleaving: ROMIO would let each write its own */
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_cb_write", "enable");
    int late = !strcmp(argv[1], "late") && rank == size - 1;
    MPI_File_open(MPI_COMM_WORLD, argv[2], MPI_MODE_CREATE | MPI_MODE_WRONLY, info, &file);
    for (int step = 0; step < STEPS; step++) {
        compute(late ? 20000 : 2000);
        save(file, step);
    }
    MPI_File_close(&file);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
