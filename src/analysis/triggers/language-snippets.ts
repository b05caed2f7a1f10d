import { formatBytes, formatCount } from '../../base/quantities.ts';
import type { Snippet } from './insight.ts';

/** What the C examples show, in the other languages of HPC programs; what is valid C++ as it stands is not repeated. */

export function bufferedWriteIn(count: number, buffer: number): Snippet[] {
  return [
    {
      language: 'cpp',
      title: `Collect writes in a buffer of ${formatBytes(buffer)} (C++)`,
      code: `std::vector<char> buffer(${buffer}); // must outlive the stream
std::ofstream out;
out.rdbuf()->pubsetbuf(buffer.data(), buffer.size()); // before open
out.open(path, std::ios::binary);
for (const auto &record : records) // ${formatCount(count)} in this run
    out.write(reinterpret_cast<const char *>(&record), sizeof record);
`,
    },
    {
      language: 'fortran',
      title: 'Write a block of records with one statement (Fortran)',
      code: `open (newunit=unit, file=path, access='stream', form='unformatted')
do first = 1, records, block
  write (unit) values(first:min(first + block - 1, records))
end do
close (unit)
`,
    },
    {
      language: 'python',
      title: `Collect writes in a buffer of ${formatBytes(buffer)} (Python)`,
      code: `with open(path, "wb", buffering=${buffer}) as out:
    for record in records:
        out.write(record)
`,
    },
  ];
}

export function bufferedReadIn(count: number, buffer: number): Snippet[] {
  return [
    {
      language: 'cpp',
      title: `Read through a buffer of ${formatBytes(buffer)} (C++)`,
      code: `std::vector<char> buffer(${buffer}); // must outlive the stream
std::ifstream in;
in.rdbuf()->pubsetbuf(buffer.data(), buffer.size()); // before open
in.open(path, std::ios::binary);
while (in.read(reinterpret_cast<char *>(&record), sizeof record)) // ${formatCount(count)} in this run
    use(record);
`,
    },
    {
      language: 'fortran',
      title: 'Read a block of records with one statement (Fortran)',
      code: `open (newunit=unit, file=path, access='stream', form='unformatted', status='old')
do first = 1, records, block
  read (unit) values(first:min(first + block - 1, records))
end do
close (unit)
`,
    },
    {
      language: 'python',
      title: `Read through a buffer of ${formatBytes(buffer)} (Python)`,
      code: `with open(path, "rb", buffering=${buffer}) as source:
    while record := source.read(size):
        use(record)
`,
    },
  ];
}

const MPI_CALLS = {
  read: {
    mode: 'MPI_MODE_RDONLY',
    fortran: 'MPI_File_read_at',
    python: 'MPI.MODE_RDONLY',
    method: 'Read_at',
    verb: 'Read',
    gerund: 'reads',
  },
  write: {
    mode: 'MPI_MODE_CREATE + MPI_MODE_WRONLY',
    fortran: 'MPI_File_write_at',
    python: 'MPI.MODE_CREATE | MPI.MODE_WRONLY',
    method: 'Write_at',
    verb: 'Write',
    gerund: 'writes',
  },
} as const;

type Direction = keyof typeof MPI_CALLS;

export function collectiveIn(direction: Direction): Snippet[] {
  const { mode, fortran, python, method, verb } = MPI_CALLS[direction];
  const h5py = direction === 'read' ? 'part = dataset[first:end]' : 'dataset[first:end] = part';
  return [
    {
      language: 'fortran',
      title: `${verb} together (Fortran, MPI-IO)`,
      code: `call MPI_File_open(MPI_COMM_WORLD, path, ${mode}, MPI_INFO_NULL, file)
call ${fortran}_all(file, offset, buffer, count, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE)
call MPI_File_close(file)
`,
    },
    {
      language: 'python',
      title: `${verb} together (mpi4py)`,
      code: `file = MPI.File.Open(MPI.COMM_WORLD, path, ${python})
file.${method}_all(offset, buffer)
file.Close()
`,
    },
    {
      language: 'python',
      title: `${verb} together (h5py with the mpio driver)`,
      code: `with dataset.collective:  # every process takes part
    ${h5py}
`,
    },
  ];
}

/** The call begins, the program computes, and waits only when it needs the data (or the buffer). */
export function nonBlocking(direction: Direction): Snippet {
  const call = direction === 'read' ? 'MPI_File_iread_at' : 'MPI_File_iwrite_at';
  const need = direction === 'read' ? 'the data are needed' : 'the buffer is written to again';
  return {
    language: 'c',
    title: `MPI-IO: compute while it ${MPI_CALLS[direction].gerund}`,
    code: `MPI_Request request;
${call}(file, offset, buffer, count, MPI_BYTE, &request);
compute(); /* must not touch the buffer */
MPI_Wait(&request, MPI_STATUS_IGNORE); /* before ${need} */
`,
  };
}

export function nonBlockingIn(direction: Direction): Snippet[] {
  const { verb, gerund, method } = MPI_CALLS[direction];
  const fortran = direction === 'read' ? 'MPI_File_iread_at' : 'MPI_File_iwrite_at';
  return [
    {
      language: 'fortran',
      title: `MPI-IO: compute while it ${gerund} (Fortran)`,
      code: `call ${fortran}(file, offset, buffer, count, MPI_DOUBLE_PRECISION, request)
call compute()
call MPI_Wait(request, MPI_STATUS_IGNORE)
`,
    },
    {
      language: 'python',
      title: `${verb} in the background (mpi4py)`,
      code: `request = file.I${method.toLowerCase()}(offset, buffer)
compute()
request.Wait()
`,
    },
  ];
}

export function hdf5Async(direction: Direction): Snippet {
  const call = direction === 'read' ? 'H5Dread_async' : 'H5Dwrite_async';
  return {
    language: 'c',
    title: `HDF5: compute while it ${MPI_CALLS[direction].gerund} (1.13 or newer with vol-async)`,
    code: `hid_t set = H5EScreate();
${call}(dataset, H5T_NATIVE_DOUBLE, memory, space, transfer, buffer, set);
compute(); /* must not touch the buffer */
size_t left;
hbool_t failed;
H5ESwait(set, H5ES_WAIT_FOREVER, &left, &failed);
H5ESclose(set);
`,
  };
}

export function hdf5AlignmentIn(alignment: number): Snippet[] {
  return [
    {
      language: 'fortran',
      title: `Align HDF5's objects to ${formatBytes(alignment)} (Fortran)`,
      code: `call h5pcreate_f(H5P_FILE_ACCESS_F, access, error)
call h5pset_alignment_f(access, 65536_hsize_t, ${alignment}_hsize_t, error)
call h5fcreate_f(path, H5F_ACC_TRUNC_F, file, error, access_prp=access)
`,
    },
    {
      language: 'python',
      title: `Align HDF5's objects to ${formatBytes(alignment)} (h5py)`,
      code: `file = h5py.File(path, "w", alignment_threshold=65536, alignment_interval=${alignment})
`,
    },
  ];
}

export function hdf5CollectiveMetadataIn(): Snippet[] {
  return [
    {
      language: 'fortran',
      title: 'HDF5: one rank asks for metadata, all receive (Fortran)',
      code: `call h5pset_all_coll_metadata_ops_f(access, .true., error)
call h5pset_coll_metadata_write_f(access, .true., error)
`,
    },
  ];
}

/** Keeps metadata in memory and writes it in larger pieces. */
export function hdf5MetadataCache(): Snippet {
  return {
    language: 'c',
    title: 'HDF5: a larger cache for metadata',
    code: `H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
H5Pget_mdc_config(access, &cache);
cache.set_initial_size = 1;
cache.initial_size = 16 << 20;
cache.max_size = 64 << 20;
cache.evictions_enabled = 1;
H5Pset_mdc_config(access, &cache);
H5Pset_meta_block_size(access, 1 << 20); /* pieces of metadata lie together */
`,
  };
}

export function noFillIn(): Snippet[] {
  return [
    {
      language: 'fortran',
      title: 'HDF5: do not write fill values first (Fortran)',
      code: `call h5pcreate_f(H5P_DATASET_CREATE_F, creation, error)
call h5pset_fill_time_f(creation, H5D_FILL_TIME_NEVER_F, error)
`,
    },
    {
      language: 'python',
      title: 'HDF5: do not write fill values first (h5py)',
      code: `creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
creation.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
`,
    },
    {
      language: 'c',
      title: 'PnetCDF: do not write fill values first',
      code: `int before;
ncmpi_set_fill(file, NC_NOFILL, &before);
`,
    },
  ];
}
