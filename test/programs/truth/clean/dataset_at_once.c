/* A data set of 2 MiB and a few attributes, written and read back as HDF5 likes it. */
#include <hdf5.h>
#include "workload.h"

enum { VALUES = 1 << 18 };

static void prepare(void) {}

static void workload(void) {
    static double values[VALUES];
    hid_t file = H5Fcreate("truth.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hsize_t all = VALUES;
    hid_t space = H5Screate_simple(1, &all, NULL), one = H5Screate(H5S_SCALAR);
    hid_t table = H5Dcreate(file, "values", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (int i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "unit %d", i);
        hid_t attribute = H5Acreate(table, name, H5T_NATIVE_INT, one, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(attribute, H5T_NATIVE_INT, &i);
        H5Aclose(attribute);
    }
    check(H5Dwrite(table, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    check(H5Dread(table, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(table);
    H5Fclose(file);
}
