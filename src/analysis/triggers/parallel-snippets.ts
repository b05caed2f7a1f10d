import { formatBytes, formatCount } from '../../base/quantities.ts';
import type { Snippet } from './insight.ts';

/** Code for programs of several processes: MPI, HDF5, Lustre. */

export function collectiveWrite(): Snippet {
  return {
    language: 'c',
    title: 'Write together (MPI-IO)',
    code: `MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, info, &file);
MPI_File_write_at_all(file, offset, buffer, count, MPI_BYTE, MPI_STATUS_IGNORE);
MPI_File_close(&file);
`,
  };
}

export function collectiveRead(): Snippet {
  return {
    language: 'c',
    title: 'Read together (MPI-IO)',
    code: `MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, info, &file);
MPI_File_read_at_all(file, offset, buffer, count, MPI_BYTE, MPI_STATUS_IGNORE);
MPI_File_close(&file);
`,
  };
}

export function openOnceTogether(count: number): Snippet {
  return {
    language: 'c',
    title: 'Open the shared file once (MPI-IO)',
    code: `MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, info, &file); /* once instead of ${formatCount(count)} times */
for (int step = 0; step < steps; step++)
    MPI_File_write_at_all(file, offset + step * stride, buffer, count, MPI_BYTE, MPI_STATUS_IGNORE);
MPI_File_close(&file);
`,
  };
}

export function everyRankItsPart(): Snippet {
  return {
    language: 'c',
    title: 'Every rank writes its part',
    code: `/* Instead of MPI_Gather and a write by rank 0. */
MPI_Exscan(&bytes, &offset, 1, MPI_OFFSET, MPI_SUM, MPI_COMM_WORLD); /* rank 0: offset = 0 */
MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
MPI_File_write_at_all(file, offset, part, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
MPI_File_close(&file);
`,
  };
}

export function evenParts(): Snippet {
  return {
    language: 'c',
    title: 'Parts that differ by one record at most',
    code: `size_t first = records * rank / ranks;
size_t end = records * (rank + 1) / ranks;
pwrite(fd, data, (end - first) * size, (off_t)(first * size));
`,
  };
}

export function readAndBroadcast(): Snippet {
  return {
    language: 'c',
    title: 'One process reads, all others receive',
    code: `if (rank == 0 && pread(fd, table, bytes, 0) != (ssize_t)bytes)
    MPI_Abort(MPI_COMM_WORLD, 1);
MPI_Bcast(table, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
`,
  };
}

export function readAndBroadcastPython(): Snippet {
  return {
    language: 'python',
    title: 'One process reads, all others receive (mpi4py)',
    code: `table = np.fromfile(path) if comm.rank == 0 else np.empty(shape)
comm.Bcast(table, root=0)
`,
  };
}

export function hdf5Alignment(alignment: number): Snippet {
  return {
    language: 'c',
    title: `Align HDF5's objects to ${formatBytes(alignment)}`,
    code: `hid_t access = H5Pcreate(H5P_FILE_ACCESS);
H5Pset_alignment(access, 65536, ${alignment}); /* objects from 64 KiB on */
hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
`,
  };
}

export function hdf5CollectiveMetadata(): Snippet {
  return {
    language: 'c',
    title: 'HDF5: one rank asks for metadata, all receive',
    code: `H5Pset_all_coll_metadata_ops(access, 1);
H5Pset_coll_metadata_write(access, 1);
`,
  };
}

export function hdf5NoFill(): Snippet {
  return {
    language: 'c',
    title: 'HDF5: do not write fill values first',
    code: `hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
`,
  };
}

export function hdf5OneDataset(): Snippet {
  return {
    language: 'c',
    title: 'HDF5: one dataset with a dimension for the steps',
    code: `hsize_t now[2] = {0, cells}, most[2] = {H5S_UNLIMITED, cells}, chunk[2] = {1024, cells};
hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
H5Pset_chunk(creation, 2, chunk);
hid_t steps = H5Dcreate2(file, "steps", H5T_NATIVE_DOUBLE, H5Screate_simple(2, now, most),
                         H5P_DEFAULT, creation, H5P_DEFAULT);
/* Extend it by H5Dset_extent and write many steps with each H5Dwrite. */
`,
  };
}

export function hdf5OneDatasetPython(): Snippet {
  return {
    language: 'python',
    title: 'h5py: one dataset with a dimension for the steps',
    code: `steps = file.create_dataset("steps", (count, cells), chunks=(1024, cells))
for start in range(0, count, 1024):
    steps[start:start + 1024] = block[:1024]  # many steps with each write
file.flush()  # once, after the loop
`,
  };
}
