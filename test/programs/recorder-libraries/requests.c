/* PnetCDF's ways to move values, and to wait for them, by one process.
 * usage: requests FILE */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int file, dimensions[2], a, request[4], status[4], failed = 0;
    double values[100] = {0}, *both[2] = {values, values};
    float small[100];
    MPI_Init(&argc, &argv);
    if (argc != 2 || ncmpi_create(MPI_COMM_WORLD, argv[1], NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file) != 0)
        return 1;
    ncmpi_def_dim(file, "time", NC_UNLIMITED, &dimensions[0]);
    ncmpi_def_dim(file, "x", 20, &dimensions[1]);
    ncmpi_def_var(file, "a", NC_DOUBLE, 2, dimensions, &a);
    ncmpi_put_att_text(file, a, "units", 3, "m/s");
    ncmpi_enddef(file);
    MPI_Offset first[2] = {0, 0}, ten[2] = {1, 10}, none[2] = {0, 0}, later[2] = {3, 5}, stride[2] = {1, 2};
    MPI_Offset *starts[2] = {first, later}, *counts[2] = {ten, ten};
    int variables[2] = {a, a};
    failed |= ncmpi_iput_vara_double(file, a, first, ten, values, &request[0]);
    failed |= ncmpi_iput_vara_float(file, a, first, none, small, &request[1]);
    failed |= ncmpi_iput_vara(file, a, first, ten, values, 10, MPI_DOUBLE, &request[2]);
    failed |= ncmpi_iput_var1_double(file, a, later, values, &request[3]);
    failed |= ncmpi_wait_all(file, 1, request, status);
    failed |= ncmpi_cancel(file, 1, &request[3], status);
    failed |= ncmpi_wait_all(file, NC_REQ_ALL, NULL, NULL);
    failed |= ncmpi_put_vars_double_all(file, a, first, ten, stride, values);
    failed |= ncmpi_put_varn_double_all(file, a, 2, starts, NULL, values);
    failed |= ncmpi_mput_vara_double_all(file, 2, variables, starts, counts, both);
    MPI_Datatype five;
    MPI_Type_contiguous(5, MPI_DOUBLE, &five);
    MPI_Type_commit(&five);
    failed |= ncmpi_put_vard_all(file, a, five, values, 5, MPI_DOUBLE);
    MPI_Type_free(&five);
    failed |= ncmpi_get_vara_float_all(file, a, first, ten, small);
    if (ncmpi_put_var1_double_all(file, 99, first, values) == 0) /* there is no such variable */
        failed = 1;
    failed |= ncmpi_close(file);
    MPI_Finalize();
    return failed != 0;
}
