! Fortran's HDF5 and NetCDF, which call the libraries of C.
! usage: fields HDF5-FILE NETCDF-FILE
program fields
  use hdf5
  use netcdf
  implicit none
  character(len=256) :: of_hdf5, of_netcdf
  integer(hid_t) :: file, space, set
  integer(hsize_t) :: shape(1) = [100]
  integer :: error, number, dimension, variable
  double precision :: values(100)
  values = 1.5d0
  call get_command_argument(1, of_hdf5)
  call get_command_argument(2, of_netcdf)
  call h5open_f(error)
  call h5fcreate_f(trim(of_hdf5), H5F_ACC_TRUNC_F, file, error)
  call h5screate_simple_f(1, shape, space, error)
  call h5dcreate_f(file, 'pressure', H5T_NATIVE_DOUBLE, space, set, error)
  call h5dwrite_f(set, H5T_NATIVE_DOUBLE, values, shape, error)
  call h5dclose_f(set, error)
  call h5sclose_f(space, error)
  call h5fclose_f(file, error)
  call h5close_f(error)
  if (nf90_create(trim(of_netcdf), NF90_NETCDF4, number) /= 0) stop 1
  if (nf90_def_dim(number, 'x', 100, dimension) /= 0) stop 1
  if (nf90_def_var(number, 'salt', NF90_DOUBLE, [dimension], variable) /= 0) stop 1
  if (nf90_put_att(number, variable, 'units', 'psu') /= 0) stop 1
  if (nf90_put_var(number, variable, values) /= 0) stop 1
  if (nf90_close(number) /= 0) stop 1
end program
