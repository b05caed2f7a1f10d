# Python's HDF5 (h5py) and NetCDF, each of which may bring an HDF5 of its own.
# usage: fields.py HDF5-FILE NETCDF-FILE
import sys

import h5py
import netCDF4
import numpy

with h5py.File(sys.argv[1], "w") as file:
    group = file.create_group("grid")
    field = group.create_dataset("temperature", data=numpy.arange(1000, dtype="f8"))
    field.attrs["units"] = "K"
    field[10:20] = 5
with netCDF4.Dataset(sys.argv[2], "w") as file:
    file.title = "two libraries"
    file.createDimension("x", 100)
    ocean = file.createGroup("ocean").createVariable("salt", "f8", ("x",))
    ocean[:] = numpy.arange(100)
with h5py.File(sys.argv[1], "r") as file, netCDF4.Dataset(sys.argv[2]) as other:
    print(file["grid/temperature"][:].sum(), other["ocean/salt"][5:15].sum())
