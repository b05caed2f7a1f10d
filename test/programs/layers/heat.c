/* Heat transfer in two dimensions (Tschüter, section 5.3): halo exchange, a snapshot after every tenth step.
 * usage: heat each|once FILE
 *   each  opens and closes the file for every snapshot, asks for rank and size again, writes row by row
 *   once  opens the file once, sets a view, and writes each snapshot with one collective call */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 12, COLUMNS = 128, STEPS = 200, EVERY = 10, WIDTH = COLUMNS + 2 };
static double now[(ROWS + 2) * WIDTH], next[(ROWS + 2) * WIDTH];
static int rank, size;

/* Two columns of blocks; the neighbours above and below, periodic. */
__attribute__((no_instrument_function)) static int neighbour(int rows)
{
    int down = size / 2;
    return ((rank / 2 + rows + down) % down) * 2 + rank % 2;
}

static void exchange(void)
{
    MPI_Sendrecv(now + WIDTH, WIDTH, MPI_DOUBLE, neighbour(-1), 0,
                 now + (ROWS + 1) * WIDTH, WIDTH, MPI_DOUBLE, neighbour(1), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(now + ROWS * WIDTH, WIDTH, MPI_DOUBLE, neighbour(1), 1,
                 now, WIDTH, MPI_DOUBLE, neighbour(-1), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void heat_calculation(void)
{
    for (int y = 1; y <= ROWS; y++)
        for (int x = 1; x <= COLUMNS; x++) {
            int at = y * WIDTH + x;
            next[at] = now[at] + 0.2 * (now[at - 1] + now[at + 1] + now[at - WIDTH] + now[at + WIDTH] - 4 * now[at]);
        }
    memcpy(now, next, sizeof now);
}

static void save_grid_each(const char *path, int snapshot)
{
    MPI_File file;
    int own, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &own);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file); /* FINDING open-each */
    for (int y = 0; y < ROWS; y++) {
        MPI_Offset row = (snapshot * (ranks / 2) + own / 2) * ROWS + y;
        MPI_File_write_at(file, (row * 2 + own % 2) * COLUMNS * sizeof(double), /* FINDING row-writes */
                          now + (y + 1) * WIDTH + 1, COLUMNS, MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file); /* FINDING close-each */
}

static MPI_File open_with_view(const char *path)
{
    int whole[2] = {size / 2 * ROWS, 2 * COLUMNS}, part[2] = {ROWS, COLUMNS};
    int start[2] = {rank / 2 * ROWS, rank % 2 * COLUMNS};
    MPI_Datatype block;
    MPI_File file;
    MPI_Type_create_subarray(2, whole, part, start, MPI_ORDER_C, MPI_DOUBLE, &block);
    MPI_Type_commit(&block);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_DOUBLE, block, "native", MPI_INFO_NULL);
    MPI_Type_free(&block);
    return file;
}

static void save_grid_once(MPI_File file)
{
    static double inner[ROWS * COLUMNS];
    for (int y = 0; y < ROWS; y++)
        memcpy(inner + y * COLUMNS, now + (y + 1) * WIDTH + 1, COLUMNS * sizeof(double));
    MPI_File_write_all(file, inner, ROWS * COLUMNS, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int each = !strcmp(argv[1], "each");
    MPI_File file = each ? MPI_FILE_NULL : open_with_view(argv[2]);
    now[ROWS / 2 * WIDTH + COLUMNS / 2] = 1000;
    for (int step = 0; step < STEPS; step++) {
        if (step % EVERY == 0 && each)
            save_grid_each(argv[2], step / EVERY);
        else if (step % EVERY == 0)
            save_grid_once(file);
        if (step % EVERY == 0)
            exchange();
        heat_calculation();
    }
    if (!each)
        MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
