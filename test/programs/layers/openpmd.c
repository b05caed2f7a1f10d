/* Output in the manner of openPMD (Drishti, section V.A): a file per step, in it meshes and particles with many small
 * attributes; each step's file is opened again to check its attributes.
 * usage: openpmd independent|collective FILE
 *   independent  each rank reads and writes metadata and data on its own: HDF5's default
 *   collective   collective metadata operations and collective transfers */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 2, RECORDS = 3, COMPONENTS = 3, ATTRIBUTES = 4, POINTS = 4096 };
static const char *records[RECORDS] = {"E", "B", "position"}, *components[COMPONENTS] = {"x", "y", "z"};
static const char *attributes[ATTRIBUTES] = {"unitSI", "timeOffset", "position", "gridSpacing"};
static int rank, size, collective;

static hid_t file_access(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    if (collective) {
        H5Pset_all_coll_metadata_ops(access, 1);
        H5Pset_coll_metadata_write(access, 1);
    }
    return access;
}

/* HDF5 1.10.5 to 1.10.8 forget the setting of the file for reads (HDFGroup/hdf5, pull request 1206), not that of an object. */
static hid_t object_access(hid_t kind)
{
    hid_t access = H5Pcreate(kind);
    if (collective)
        H5Pset_all_coll_metadata_ops(access, 1);
    return access;
}

static void write_attribute(hid_t object, const char *name, double value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(attribute);
    H5Sclose(space);
}

static void write_component(hid_t record, const char *name, const double *values, hid_t transfer)
{
    hsize_t all = (hsize_t)POINTS * size, own = POINTS, start = (hsize_t)POINTS * rank;
    hid_t file = H5Screate_simple(1, &all, NULL), memory = H5Screate_simple(1, &own, NULL);
    hid_t set = H5Dcreate2(record, name, H5T_NATIVE_DOUBLE, file, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sselect_hyperslab(file, H5S_SELECT_SET, &start, NULL, &own, NULL);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, file, transfer, values);
    for (int i = 0; i < ATTRIBUTES; i++)
        write_attribute(set, attributes[i], i);
    H5Dclose(set);
    H5Sclose(file);
    H5Sclose(memory);
}

static void write_step(const char *path, const double *values)
{
    hid_t access = file_access(), transfer = H5Pcreate(H5P_DATASET_XFER);
    if (collective)
        H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    for (int r = 0; r < RECORDS; r++) {
        hid_t record = H5Gcreate2(file, records[r], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        write_attribute(record, "unitDimension", r);
        for (int c = 0; c < COMPONENTS; c++)
            write_component(record, components[c], values, transfer);
        H5Gclose(record);
    }
    H5Fflush(file, H5F_SCOPE_GLOBAL); /* FINDING metadata-writes */
    H5Fclose(file);
    H5Pclose(transfer);
    H5Pclose(access);
}

static double check_step(const char *path)
{
    double sum = 0;
    hid_t access = file_access(), to_group = object_access(H5P_GROUP_ACCESS);
    hid_t to_set = object_access(H5P_DATASET_ACCESS), to_attribute = object_access(H5P_ATTRIBUTE_ACCESS);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    for (int r = 0; r < RECORDS; r++) {
        hid_t record = H5Gopen2(file, records[r], to_group); /* FINDING group-reads */
        for (int c = 0; c < COMPONENTS; c++) {
            hid_t set = H5Dopen2(record, components[c], to_set); /* FINDING set-reads */
            for (int i = 0; i < ATTRIBUTES; i++) {
                double value;
                hid_t attribute = H5Aopen(set, attributes[i], to_attribute);
                H5Aread(attribute, H5T_NATIVE_DOUBLE, &value);
                H5Aclose(attribute);
                sum += value;
            }
            H5Dclose(set);
        }
        H5Gclose(record);
    }
    H5Fclose(file);
    H5Pclose(to_attribute);
    H5Pclose(to_set);
    H5Pclose(to_group);
    H5Pclose(access);
    return sum;
}

int main(int argc, char **argv)
{
    static double values[POINTS];
    char path[4096];
    if (argc != 3)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    collective = !strcmp(argv[1], "collective");
    double sum = 0;
    for (int step = 0; step < STEPS; step++) {
        snprintf(path, sizeof path, "%s.%d.h5", argv[2], step);
        write_step(path, values);
        sum += check_step(path);
    }
    MPI_Finalize();
    return sum == STEPS * RECORDS * COMPONENTS * 6 ? 0 : 1;
}
