/* 3,000 values of a data set in chunks that the library holds in memory, each by a call, or all by one. */
#include <hdf5.h>
#include "workload.h"

enum { VALUES = 3000 };

static void prepare(void) {}

static void workload(void) {
    static double values[VALUES];
    hid_t file = H5Fcreate("truth.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hsize_t all = VALUES, chunk = 1000;
    hid_t space = H5Screate_simple(1, &all, NULL);
    hid_t chunked = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(chunked, 1, &chunk);
    hid_t table = H5Dcreate(file, "values", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, chunked, H5P_DEFAULT);
#if REPAIRED
    hsize_t step = VALUES;
#else
    hsize_t step = 1;
#endif
    hid_t memory = H5Screate_simple(1, &step, NULL);
    for (hsize_t i = 0; i < VALUES; i += step) {
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &i, NULL, &step, NULL);
        check(H5Dwrite(table, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values + i) >= 0); /* PLANTED L32 */
    }
    H5Sclose(memory);
    H5Sclose(space);
    H5Pclose(chunked);
    H5Dclose(table);
    H5Fclose(file);
}
