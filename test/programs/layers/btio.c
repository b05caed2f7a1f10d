/* The I/O of NAS BT-IO (Tschüter, section 5.3): a block-tridiagonal solver's array of 5 doubles per point, in diagonal
 * multi-partition, written after every fifth time step.
 * usage: btio full|simple|epio|fortran FILE      with 4 ranks
 *   full     one collective call per snapshot through a view of subarrays
 *   simple   independent calls of 640 bytes
 *   epio     each process a file of its own (FILE.<rank>), through Fortran's sequential I/O
 *   fortran  one file, Fortran's direct access in records of 640 bytes */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPONENTS = 5, CELL_X = 16, CELL_Y = 16, CELL_Z = 1, CELLS = 2, SNAPSHOTS = 9, STEPS = 5 };
enum { ROW = COMPONENTS * CELL_X, CELL = ROW * CELL_Y * CELL_Z, GRID = CELL * CELLS * CELLS * CELLS };
static double u[CELLS * CELL];
static int rank;

/* btio_records.f90 */
void fortran_open(const char *path, int length);
void fortran_record(const double *row, int record);
void fortran_close(void);
void epio_open(const char *path, int length, int rank);
void epio_cell(const double *cell);
void epio_close(void);

/* Position of a cell in the grid of cells: along a diagonal. */
__attribute__((no_instrument_function)) static int cell_at(int cell, int axis)
{
    int position[3] = {(rank % 2 + cell) % 2, (rank / 2 + cell) % 2, cell};
    return position[axis];
}

/* Number of a row of 640 bytes in the whole file. */
__attribute__((no_instrument_function)) static long row_number(int snapshot, int cell, int y, int z)
{
    long plane = cell_at(cell, 2) * CELL_Z + z;
    long line = cell_at(cell, 1) * CELL_Y + y;
    return ((snapshot * CELLS * CELL_Z + plane) * CELLS * CELL_Y + line) * CELLS + cell_at(cell, 0);
}

static void solve(void)
{
    for (int i = 0; i < CELLS * CELL; i++)
        u[i] = u[i] * 0.5 + rank + i;
}

static MPI_Datatype cells_of_rank(void)
{
    MPI_Datatype cells[CELLS], all;
    int lengths[CELLS] = {1, 1};
    MPI_Aint starts[CELLS] = {0, 0};
    for (int c = 0; c < CELLS; c++) {
        int whole[3] = {CELLS * CELL_Z, CELLS * CELL_Y, CELLS * ROW}, part[3] = {CELL_Z, CELL_Y, ROW};
        int start[3] = {cell_at(c, 2) * CELL_Z, cell_at(c, 1) * CELL_Y, cell_at(c, 0) * ROW};
        MPI_Type_create_subarray(3, whole, part, start, MPI_ORDER_C, MPI_DOUBLE, &cells[c]);
    }
    MPI_Type_create_struct(CELLS, lengths, starts, cells, &all);
    MPI_Type_commit(&all);
    return all;
}

static void output_timestep_full(MPI_File file, int snapshot)
{
    MPI_File_write_at_all(file, (MPI_Offset)snapshot * CELLS * CELL, u, CELLS * CELL, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

static void output_timestep_simple(MPI_File file, int snapshot)
{
    for (int c = 0; c < CELLS; c++)
        for (int z = 0; z < CELL_Z; z++)
            for (int y = 0; y < CELL_Y; y++)
                MPI_File_write_at(file, row_number(snapshot, c, y, z) * ROW * sizeof(double), /* FINDING independent */
                                  u + c * CELL + (z * CELL_Y + y) * ROW, ROW, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

static void output_timestep_fortran(int snapshot)
{
    for (int c = 0; c < CELLS; c++)
        for (int z = 0; z < CELL_Z; z++)
            for (int y = 0; y < CELL_Y; y++)
                fortran_record(u + c * CELL + (z * CELL_Y + y) * ROW, row_number(snapshot, c, y, z) + 1);
}

static void output_timestep_epio(void)
{
    for (int c = 0; c < CELLS; c++)
        epio_cell(u + c * CELL);
}

static void run_mpi(const char *path, int full)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    if (full) {
        MPI_Datatype cells = cells_of_rank();
        MPI_File_set_view(file, 0, MPI_DOUBLE, cells, "native", MPI_INFO_NULL);
        MPI_Type_free(&cells);
    }
    for (int snapshot = 0; snapshot < SNAPSHOTS; snapshot++) {
        for (int step = 0; step < STEPS; step++)
            solve();
        if (full)
            output_timestep_full(file, snapshot);
        else
            output_timestep_simple(file, snapshot);
    }
    MPI_File_close(&file);
}

static void run_fortran(const char *path, int own_file)
{
    if (own_file)
        epio_open(path, strlen(path), rank);
    else
        fortran_open(path, strlen(path));
    for (int snapshot = 0; snapshot < SNAPSHOTS; snapshot++) {
        for (int step = 0; step < STEPS; step++)
            solve();
        if (own_file)
            output_timestep_epio();
        else
            output_timestep_fortran(snapshot);
    }
    if (own_file)
        epio_close();
    else
        fortran_close();
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!strcmp(argv[1], "full") || !strcmp(argv[1], "simple"))
        run_mpi(argv[2], !strcmp(argv[1], "full"));
    else
        run_fortran(argv[2], !strcmp(argv[1], "epio"));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
