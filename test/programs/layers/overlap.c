/* Writing in the background.
 * usage: overlap wait|overlap FILE
 *   wait     waits at once for what it has just begun
 *   overlap  computes the next step meanwhile, and waits before it needs the buffer again */
#include <mpi.h>
#include <string.h>

enum { STEPS = 12, BYTES = 1 << 18 };
static char buffers[2][BYTES];
static int rank, size;

static void compute(char *data)
{
    double start = MPI_Wtime();
    for (int round = 1; MPI_Wtime() - start < 0.003; round++)
        for (int i = 0; i < BYTES; i += 64)
            data[i] = (char)(data[i] * 3 + round);
}

static void begin_write(MPI_File file, int step, MPI_Request *request)
{
    MPI_File_iwrite_at(file, (MPI_Offset)(step * size + rank) * BYTES, buffers[step % 2], BYTES, MPI_BYTE, request); /* FINDING begun */
}

static void finish_write(MPI_Request *request)
{
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Request request;
    if (argc != 3)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int overlap = !strcmp(argv[1], "overlap");
    MPI_File_open(MPI_COMM_WORLD, argv[2], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    compute(buffers[0]);
    for (int step = 0; step < STEPS; step++) {
        begin_write(file, step, &request);
        if (overlap)
            compute(buffers[(step + 1) % 2]);
        finish_write(&request);
        if (!overlap)
            compute(buffers[(step + 1) % 2]);
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
