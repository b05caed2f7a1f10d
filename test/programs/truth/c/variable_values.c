/* 2,000 values of a NetCDF variable, each by a call, or all by one. */
#include <netcdf.h>
#include "workload.h"

enum { VALUES = 2000 };

static void prepare(void) {}

static void workload(void) {
    static double values[VALUES];
    int file, dimension, variable;
    check(nc_create("truth.nc", NC_NETCDF4 | NC_CLOBBER, &file) == NC_NOERR);
    nc_def_dim(file, "x", VALUES, &dimension);
    nc_def_var(file, "energy", NC_DOUBLE, 1, &dimension, &variable);
    nc_enddef(file);
#if REPAIRED
    check(nc_put_var_double(file, variable, values) == NC_NOERR);
#else
    for (size_t i = 0; i < VALUES; i++)
        check(nc_put_var1_double(file, variable, &i, values + i) == NC_NOERR); /* PLANTED L32|L14|P06 */
#endif
    nc_close(file);
}
