/* A small weather model that uses every layer of I/O: it reads its settings from a text (STDIO), writes fields by NetCDF-4
 * (on HDF5, MPI-IO and POSIX) and PnetCDF (on MPI-IO and POSIX), a table of its own by HDF5, a checkpoint by MPI-IO and a
 * log by POSIX, reads the fields again and prints their sum. Lines that a recording must name carry the layer's name.
 * usage: all_layers FOLDER; FOLDER/settings.txt has two lines: rows per process, columns */
#include <fcntl.h>
#include <hdf5.h>
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PATH = 256, STEPS = 3 };
static int rank, size, rows, columns;
static const char *folder;

static void check(int is_right, const char *what)
{
    if (is_right)
        return;
    fprintf(stderr, "rank %d: %s failed\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static const char *in_folder(const char *name)
{
    static char path[MOST_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void read_settings(void)
{
    char line[32];
    FILE *settings = fopen(in_folder("settings.txt"), "r");
    check(settings != NULL, "fopen");
    check(fgets(line, sizeof line, settings) != NULL, "fgets"); /* STDIO */
    rows = atoi(line);
    check(fgets(line, sizeof line, settings) != NULL, "fgets");
    columns = atoi(line);
    fclose(settings);
}

static double *new_field(void)
{
    double *field = malloc(sizeof *field * rows * columns);
    for (int i = 0; i < rows * columns; i++)
        field[i] = rank * 1000 + i;
    return field;
}

static void write_fields(const double *field)
{
    int file, dimensions[3], temperature, mask;
    size_t start[3] = {0, (size_t)rank * rows, 0}, count[3] = {1, rows, columns};
    check(nc_create_par(in_folder("fields.nc"), NC_NETCDF4 | NC_CLOBBER, MPI_COMM_WORLD, MPI_INFO_NULL, &file) == 0, "create");
    nc_def_dim(file, "step", STEPS, &dimensions[0]);
    nc_def_dim(file, "row", (size_t)size * rows, &dimensions[1]);
    nc_def_dim(file, "column", columns, &dimensions[2]);
    nc_def_var(file, "temperature", NC_DOUBLE, 3, dimensions, &temperature);
    nc_def_var(file, "mask", NC_BYTE, 2, dimensions + 1, &mask);
    nc_put_att_text(file, temperature, "units", 1, "K");
    nc_enddef(file);
    nc_var_par_access(file, temperature, NC_COLLECTIVE);
    for (start[0] = 0; start[0] < STEPS; start[0]++)
        check(nc_put_vara_double(file, temperature, start, count, field) == 0, "put"); /* NetCDF */
    signed char *land = calloc(rows, columns);
    check(nc_put_vara_schar(file, mask, start + 1, count + 1, land) == 0, "put");
    free(land);
    check(nc_close(file) == 0, "close");
}

static double read_fields(double *field)
{
    int file, temperature;
    double sum = 0;
    size_t start[3] = {STEPS - 1, (size_t)(size - 1 - rank) * rows, 0}, count[3] = {1, rows, columns};
    check(nc_open_par(in_folder("fields.nc"), NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file) == 0, "open");
    nc_inq_varid(file, "temperature", &temperature);
    check(nc_get_vara_double(file, temperature, start, count, field) == 0, "get");
    nc_close(file);
    for (int i = 0; i < rows * columns; i++)
        sum += field[i];
    return sum;
}

static void write_wind(const double *field)
{
    int file, dimensions[2], east, north, request[2], status[2];
    MPI_Offset start[2] = {(MPI_Offset)rank * rows, 0}, count[2] = {rows, columns};
    check(ncmpi_create(MPI_COMM_WORLD, in_folder("wind.nc"), NC_64BIT_DATA | NC_CLOBBER, MPI_INFO_NULL, &file) == 0, "create");
    ncmpi_def_dim(file, "row", (MPI_Offset)size * rows, &dimensions[0]);
    ncmpi_def_dim(file, "column", columns, &dimensions[1]);
    ncmpi_def_var(file, "east", NC_DOUBLE, 2, dimensions, &east);
    ncmpi_def_var(file, "north", NC_FLOAT, 2, dimensions, &north);
    ncmpi_enddef(file);
    ncmpi_iput_vara_double(file, east, start, count, field, &request[0]);
    ncmpi_iput_vara_double(file, north, start, count, field, &request[1]);
    check(ncmpi_wait_all(file, 2, request, status) == 0, "wait"); /* PnetCDF */
    check(ncmpi_put_vara_double_all(file, north, start, count, field) == 0, "put");
    ncmpi_close(file);
}

static void write_table(const double *field)
{
    hsize_t all = (hsize_t)size * columns, own = columns, start = (hsize_t)rank * columns;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, 0); /* two runs leave the same file */
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    hid_t file = H5Fcreate(in_folder("table.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hid_t in_file = H5Screate_simple(1, &all, NULL), in_memory = H5Screate_simple(1, &own, NULL);
    hid_t set = H5Dcreate2(file, "means", H5T_NATIVE_DOUBLE, in_file, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Sselect_hyperslab(in_file, H5S_SELECT_SET, &start, NULL, &own, NULL);
    check(H5Dwrite(set, H5T_NATIVE_DOUBLE, in_memory, in_file, transfer, field) >= 0, "H5Dwrite"); /* HDF5 */
    H5Dclose(set);
    H5Sclose(in_memory);
    H5Sclose(in_file);
    H5Fclose(file);
    H5Pclose(creation);
    H5Pclose(transfer);
    H5Pclose(access);
}

static void write_checkpoint(const double *field)
{
    MPI_File file;
    MPI_Offset at = (MPI_Offset)rank * rows * columns * sizeof *field;
    int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY;
    check(MPI_File_open(MPI_COMM_WORLD, in_folder("checkpoint.bin"), mode, MPI_INFO_NULL, &file) == 0, "MPI_File_open");
    MPI_File_write_at_all(file, at, field, rows * columns, MPI_DOUBLE, MPI_STATUS_IGNORE); /* MPI-IO */
    MPI_File_close(&file);
}

static void write_log(double sum)
{
    char name[32], line[64];
    snprintf(name, sizeof name, "log.%d", rank);
    int length = snprintf(line, sizeof line, "rank %d of %d: %.1f\n", rank, size, sum);
    int log = open(in_folder(name), O_CREAT | O_TRUNC | O_WRONLY, 0644);
    check(log >= 0 && write(log, line, length) == length, "write"); /* POSIX */
    close(log);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 2)
        return 2;
    folder = argv[1];
    read_settings();
    double *field = new_field();
    write_fields(field);
    write_wind(field);
    write_table(field);
    write_checkpoint(field);
    double sum = read_fields(field), all = 0;
    write_log(sum);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %.1f\n", all);
    free(field);
    MPI_Finalize();
    return 0;
}
