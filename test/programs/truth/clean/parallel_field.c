/* Two ranks that write half of an HDF5 data set each, collectively, by one call. */
#include <mpi.h>
#include <hdf5.h>
#include "workload.h"

enum { ROWS = 1024, COLUMNS = 256 };

static void prepare(void) {}

static void workload(void) {
    static double rows[ROWS][COLUMNS];
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    hid_t file = H5Fcreate("truth.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hsize_t all[2] = {(hsize_t)ROWS * ranks, COLUMNS}, start[2] = {(hsize_t)rank * ROWS, 0}, count[2] = {ROWS, COLUMNS};
    hid_t space = H5Screate_simple(2, all, NULL), memory = H5Screate_simple(2, count, NULL);
    hid_t table = H5Dcreate(file, "table", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    check(H5Dwrite(table, H5T_NATIVE_DOUBLE, memory, space, transfer, rows) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(table);
    H5Fclose(file);
    H5Pclose(access);
    H5Pclose(transfer);
}
