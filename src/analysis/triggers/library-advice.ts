import type { Recommendation } from './insight.ts';

/** What HDF5 and NetCDF have of their own, where MPI-IO and system calls are theirs to make. */

type Direction = 'read' | 'write';

export function collectiveHdf5(direction: Direction): Recommendation {
  const assignment = direction === 'read' ? 'part = dataset[first:end]' : 'dataset[first:end] = part';
  return {
    audience: 'code',
    text: `Transfer collectively: all processes call H5D${direction} with a property list of H5Pset_dxpl_mpio, and HDF5 lets MPI-IO join their requests.`,
    snippet: {
      language: 'c',
      title: `HDF5: ${direction} together`,
      code: `hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
H5D${direction}(dataset, H5T_NATIVE_DOUBLE, memory, space, transfer, part); /* every process, with its own selection */
`,
    },
    alternatives: [
      {
        language: 'fortran',
        title: `HDF5: ${direction} together (Fortran)`,
        code: `call h5pcreate_f(H5P_DATASET_XFER_F, transfer, error)
call h5pset_dxpl_mpio_f(transfer, H5FD_MPIO_COLLECTIVE_F, error)
call h5d${direction}_f(dataset, H5T_NATIVE_DOUBLE, part, count, error, memory, space, transfer)
`,
      },
      {
        language: 'python',
        title: `HDF5: ${direction} together (h5py with the mpio driver)`,
        code: `with dataset.collective:  # every process takes part
    ${assignment}
`,
      },
    ],
  };
}

export function collectiveNetcdf(direction: Direction): Recommendation {
  const verb = direction === 'read' ? 'get' : 'put';
  const assignment = direction === 'read' ? 'part = variable[first:end]' : 'variable[first:end] = part';
  return {
    audience: 'code',
    text: `Access the variable collectively (nc_var_par_access): all processes call nc_${verb}_vara, and the library lets MPI-IO join their requests.`,
    snippet: {
      language: 'c',
      title: `NetCDF: ${direction} together`,
      code: `nc_var_par_access(file, variable, NC_COLLECTIVE); /* once, after the file was opened by nc_open_par */
nc_${verb}_vara_double(file, variable, first, count, part); /* every process, with its own part */
`,
    },
    alternatives: [
      {
        language: 'fortran',
        title: `NetCDF: ${direction} together (Fortran)`,
        code: `status = nf90_var_par_access(file, variable, NF90_COLLECTIVE)
status = nf90_${verb}_var(file, variable, part, start=first, count=counts)
`,
      },
      {
        language: 'python',
        title: `NetCDF: ${direction} together (netCDF4-python)`,
        code: `variable.set_collective(True)  # in a file opened with parallel=True
${assignment}
`,
      },
    ],
  };
}
