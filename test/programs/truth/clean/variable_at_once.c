/* Two NetCDF variables with their attributes, written by a call each. */
#include <netcdf.h>
#include "workload.h"

enum { VALUES = 200000 };

static void prepare(void) {}

static void workload(void) {
    static double values[VALUES];
    int file, dimension, variables[2];
    check(nc_create("truth.nc", NC_NETCDF4 | NC_CLOBBER, &file) == NC_NOERR);
    nc_def_dim(file, "x", VALUES, &dimension);
    nc_def_var(file, "energy", NC_DOUBLE, 1, &dimension, &variables[0]);
    nc_def_var(file, "pressure", NC_DOUBLE, 1, &dimension, &variables[1]);
    for (int i = 0; i < 2; i++) nc_put_att_text(file, variables[i], "units", 2, "SI");
    nc_enddef(file);
    for (int i = 0; i < 2; i++) check(nc_put_var_double(file, variables[i], values) == NC_NOERR);
    nc_close(file);
}
