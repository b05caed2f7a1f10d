/* Calls of HDF5 that fail, each in its own way: what it prints of them must not change.
 * usage: mistakes FILE */
#include <hdf5.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    hsize_t ten = 10, twenty = 20;
    double numbers[20] = {0};
    if (argc != 2)
        return 1;
    hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(1, &ten, NULL), larger = H5Screate_simple(1, &twenty, NULL);
    hid_t set = H5Dcreate2(file, "set", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t attribute = H5Acreate2(set, "size", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
    printf("%d\n", (int)H5Fopen("/nowhere/file.h5", H5F_ACC_RDONLY, H5P_DEFAULT));
    printf("%d\n", (int)H5Dopen2(file, "absent", H5P_DEFAULT));
    printf("%d\n", H5Dwrite(set, H5T_NATIVE_DOUBLE, larger, space, H5P_DEFAULT, numbers));
    printf("%d\n", H5Dwrite(set, space, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers));
    printf("%d\n", H5Dwrite(space, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers));
    printf("%d\n", H5Dread(set, H5T_NATIVE_DOUBLE, (hid_t)12345, H5S_ALL, H5P_DEFAULT, numbers));
    printf("%d\n", H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, (hid_t)12345, numbers));
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    printf("%d\n", H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, access, numbers));
    H5Pclose(access);
    printf("%d\n", H5Aread(set, H5T_NATIVE_DOUBLE, numbers));
    printf("%d\n", H5Awrite(attribute, (hid_t)-1, numbers));
    printf("%d\n", H5Dclose(file));
    printf("%d\n", H5Idec_ref((hid_t)-1));
    H5Aclose(attribute);
    H5Dclose(set);
    H5Sclose(larger);
    H5Sclose(space);
    return H5Fclose(file) < 0;
}
