/* Two ranks that write 400 rows each of a shared HDF5 data set: row by row, or all by one call. */
#include <mpi.h>
#include <hdf5.h>
#include "workload.h"

enum { ROWS = 400, COLUMNS = 16 };

static void prepare(void) {}

static void workload(void) {
    static double rows[ROWS][COLUMNS];
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("truth.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hsize_t all[2] = {(hsize_t)ROWS * ranks, COLUMNS};
    hid_t space = H5Screate_simple(2, all, NULL);
    hid_t table = H5Dcreate(file, "table", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
#if REPAIRED
    int step = ROWS;
#else
    int step = 1;
#endif
    for (int row = 0; row < ROWS; row += step) {
        hsize_t start[2] = {(hsize_t)(rank * ROWS + row), 0}, count[2] = {(hsize_t)step, COLUMNS};
        hid_t memory = H5Screate_simple(2, count, NULL);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
        check(H5Dwrite(table, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, rows[row]) >= 0); /* PLANTED L32|L14|P16|P06|L06 */
        H5Sclose(memory);
    }
    H5Dclose(table);
    H5Sclose(space);
    H5Fclose(file);
    H5Pclose(access);
}
