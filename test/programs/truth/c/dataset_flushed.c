/* A data set of HDF5 that is flushed after each of 300 steps, or when it is closed. */
#include <hdf5.h>
#include "workload.h"

enum { STEPS = 300, VALUES = 32 };

static void prepare(void) {}

static void workload(void) {
    double values[VALUES] = {1};
    hid_t file = H5Fcreate("truth.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hsize_t all = STEPS * VALUES, count = VALUES;
    hid_t space = H5Screate_simple(1, &all, NULL), memory = H5Screate_simple(1, &count, NULL);
    hid_t table = H5Dcreate(file, "values", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (hsize_t step = 0; step < STEPS; step++) {
        hsize_t start = step * VALUES;
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
        check(H5Dwrite(table, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0);
#if !REPAIRED
        H5Fflush(file, H5F_SCOPE_GLOBAL); /* PLANTED L04|P06|P10 */
#endif
    }
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(table);
    H5Fclose(file);
}
