/* NetCDF brings an HDF5 of its own (without MPI), beside the one (with MPI) that this program is linked with.
 * usage: two_copies NETCDF-FILE HDF5-FILE */
#include <hdf5.h>
#include <netcdf.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int file, dimension, variable, numbers[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, back[10] = {0};
    hsize_t ten = 10;
    if (argc != 3 || nc_create(argv[1], NC_NETCDF4 | NC_CLOBBER, &file) != 0)
        return 1;
    hid_t other = H5Fcreate(argv[2], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(1, &ten, NULL);
    hid_t set = H5Dcreate2(other, "numbers", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    nc_def_dim(file, "ten", 10, &dimension);
    nc_def_var(file, "values", NC_INT, 1, &dimension, &variable);
    if (nc_put_var_int(file, variable, numbers) != 0)
        return 1;
    if (H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) < 0)
        return 1;
    if (nc_get_var_int(file, variable, back) != 0 || back[9] != 9)
        return 1;
    if (H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) < 0)
        return 1;
    printf("%d\n", back[7]);
    return H5Dclose(set) < 0 || H5Sclose(space) < 0 || H5Fclose(other) < 0 || nc_close(file) != 0;
}
