import type { Snippet } from '../../triggers/insight.ts';

/** Code for those who call libraries in layers: hints of MPI-IO, properties of HDF5. C and Fortran alike. */

type Language = 'c' | 'fortran';

function inBoth(language: Language, title: string, c: string, fortran: string): Snippet {
  return { language, title, code: language === 'c' ? c : fortran };
}

/** @param isParallel several processes transfer: together they make fewer requests. */
export function hdf5Chunks(language: Language, isParallel: boolean): Snippet {
  const together = isParallel
    ? {
        c: `hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
`,
        fortran: `call h5pcreate_f(H5P_DATASET_XFER_F, transfer, error)
call h5pset_dxpl_mpio_f(transfer, H5FD_MPIO_COLLECTIVE_F, error)
`,
      }
    : { c: '', fortran: '' };
  return inBoth(
    language,
    `HDF5: chunks as large as one transfer${isParallel ? ', moved together' : ''}`,
    `hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
H5Pset_chunk(creation, 2, block);          /* block: what one H5Dwrite moves */
hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
H5Pset_chunk_cache(access, 12421, 64 << 20, 1.0); /* room for some chunks */
${together.c}`,
    `call h5pcreate_f(H5P_DATASET_CREATE_F, creation, error)
call h5pset_chunk_f(creation, 2, block, error)   ! block: what one h5dwrite_f moves
${together.fortran}`,
  );
}

export function h5pyChunks(): Snippet {
  return {
    language: 'python',
    title: 'h5py: chunks as large as one transfer',
    code: `file = h5py.File(path, "w", rdcc_nbytes=64 << 20, rdcc_nslots=12421)  # room for some chunks
dataset = file.create_dataset(name, shape, dtype, chunks=block)  # block: what one assignment moves
`,
  };
}

export function hdf5WholeBlock(language: Language, isRead: boolean): Snippet {
  const verb = isRead ? 'read' : 'write';
  return inBoth(
    language,
    `HDF5: a whole block by one H5D${verb}`,
    `hsize_t first[2] = {begin, 0}, count[2] = {rows, columns};
H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count, NULL);
hid_t memory = H5Screate_simple(2, count, NULL);
H5D${verb}(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, block); /* instead of the loop */
`,
    `call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, first, count, error)
call h5screate_simple_f(2, count, memory, error)
call h5d${verb}_f(dataset, H5T_NATIVE_DOUBLE, block, count, error, memory, space)   ! instead of the loop
`,
  );
}

export function h5pyWholeBlock(isRead: boolean): Snippet {
  return {
    language: 'python',
    title: 'h5py: a whole block at once',
    code: isRead
      ? `block = dataset[begin:end]  # one read, then use block[row]
`
      : `block = numpy.empty((end - begin, columns))  # fill block[row] in the loop
dataset[begin:end] = block  # one write after it
`,
  };
}

export function netcdfWholeBlock(isRead: boolean): Snippet {
  const verb = isRead ? 'get' : 'put';
  return {
    language: 'c',
    title: `NetCDF: a whole block by one nc_${verb}_vara`,
    code: `size_t first[2] = {begin, 0}, count[2] = {rows, columns};
nc_${verb}_vara_double(file, variable, first, count, block); /* instead of the loop */
`,
  };
}

export function netcdfWholeBlockIn(isRead: boolean): Snippet[] {
  const verb = isRead ? 'get' : 'put';
  return [
    {
      language: 'fortran',
      title: `NetCDF: a whole block by one nf90_${verb}_var`,
      code: `status = nf90_${verb}_var(file, variable, block, start=first, count=counts)   ! instead of the loop
`,
    },
    {
      language: 'python',
      title: 'netCDF4: a whole block at once',
      code: isRead
        ? `block = variable[begin:end]  # one read, then use block[row]
`
        : `variable[begin:end] = block  # one write after the loop that fills block
`,
    },
  ];
}

export function netcdfChunks(isParallel: boolean): Snippet {
  return {
    language: 'c',
    title: `NetCDF: chunks as large as one transfer${isParallel ? ', moved together' : ''}`,
    code: `nc_def_var_chunking(file, variable, NC_CHUNKED, block); /* block: what one nc_put_vara moves */
nc_set_var_chunk_cache(file, variable, 64 << 20, 12421, 1.0f);
${isParallel ? 'nc_var_par_access(file, variable, NC_COLLECTIVE);\n' : ''}`,
  };
}

/** Chunks that hold several of the records that a program writes one by one. */
export function chunksOfRecords(library: 'HDF5' | 'NetCDF'): Snippet {
  const isHdf5 = library === 'HDF5';
  return {
    language: 'c',
    title: `${library}: chunks that hold many records`,
    code: isHdf5
      ? `hsize_t block[2] = {records, length};  /* as many records as make a mebibyte or so, not one */
hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
H5Pset_chunk(creation, 2, block);
`
      : `size_t block[2] = {records, length};  /* as many records as make a mebibyte or so, not one */
nc_def_var_chunking(file, variable, NC_CHUNKED, block);
`,
  };
}

export function collectiveWithView(language: Language, isRead: boolean): Snippet {
  const verb = isRead ? 'read' : 'write';
  return inBoth(
    language,
    `MPI-IO: all pieces by one collective ${verb}`,
    `MPI_Info_create(&info);
MPI_Info_set(info, "romio_cb_${verb}", "enable");
MPI_Type_create_subarray(3, whole, part, first, MPI_ORDER_C, MPI_DOUBLE, &view);
MPI_Type_commit(&view);
MPI_File_set_view(file, 0, MPI_DOUBLE, view, "native", info);
MPI_File_${verb}_all(file, buffer, count, MPI_DOUBLE, MPI_STATUS_IGNORE); /* instead of the loop */
`,
    `call MPI_Info_create(info, error)
call MPI_Info_set(info, 'romio_cb_${verb}', 'enable', error)
call MPI_Type_create_subarray(3, whole, part, first, MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, view, error)
call MPI_Type_commit(view, error)
call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_DOUBLE_PRECISION, view, 'native', info, error)
call MPI_File_${verb}_all(file, buffer, count, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, error)   ! instead of the loop
`,
  );
}

export function sievingHints(language: Language, direction: 'read' | 'write', mode: 'disable' | 'enable'): Snippet {
  const buffer = direction === 'read' ? 'ind_rd_buffer_size' : 'ind_wr_buffer_size';
  const larger = mode === 'enable';
  return inBoth(
    language,
    larger ? `MPI-IO: a larger buffer for data sieving (${direction}s)` : `MPI-IO: no data sieving for ${direction}s`,
    `MPI_Info_create(&info);
MPI_Info_set(info, "romio_ds_${direction}", "${mode}");
${larger ? `MPI_Info_set(info, "${buffer}", "16777216");\n` : ''}MPI_File_open(MPI_COMM_WORLD, path, mode, info, &file);
`,
    `call MPI_Info_create(info, error)
call MPI_Info_set(info, 'romio_ds_${direction}', '${mode}', error)
${larger ? `call MPI_Info_set(info, '${buffer}', '16777216', error)\n` : ''}call MPI_File_open(MPI_COMM_WORLD, path, mode, info, file, error)
`,
  );
}

/** @param aggregators undefined: one for each node is left to the library. */
export function bufferingHints(language: Language, direction: 'read' | 'write', aggregators: number): Snippet {
  return inBoth(
    language,
    `MPI-IO: collective buffering with ${aggregators} aggregator${aggregators === 1 ? '' : 's'}, one on each node`,
    `MPI_Info_create(&info);
MPI_Info_set(info, "romio_cb_${direction}", "enable");
MPI_Info_set(info, "cb_nodes", "${aggregators}");
MPI_Info_set(info, "cb_config_list", "*:1"); /* one process of each node */
MPI_Info_set(info, "cb_buffer_size", "16777216");
MPI_File_open(MPI_COMM_WORLD, path, mode, info, &file);
`,
    `call MPI_Info_create(info, error)
call MPI_Info_set(info, 'romio_cb_${direction}', 'enable', error)
call MPI_Info_set(info, 'cb_nodes', '${aggregators}', error)
call MPI_Info_set(info, 'cb_config_list', '*:1', error)   ! one process of each node
call MPI_Info_set(info, 'cb_buffer_size', '16777216', error)
call MPI_File_open(MPI_COMM_WORLD, path, mode, info, file, error)
`,
  );
}

export function hdf5CollectiveMetadata(language: Language): Snippet {
  return inBoth(
    language,
    'HDF5: metadata together',
    `hid_t access = H5Pcreate(H5P_FILE_ACCESS);
H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
H5Pset_all_coll_metadata_ops(access, 1);
H5Pset_coll_metadata_write(access, 1);
hid_t file = H5Fopen(path, H5F_ACC_RDWR, access);
`,
    `call h5pcreate_f(H5P_FILE_ACCESS_F, access, error)
call h5pset_fapl_mpio_f(access, MPI_COMM_WORLD, MPI_INFO_NULL, error)
call h5pset_all_coll_metadata_ops_f(access, .true., error)
call h5pset_coll_metadata_write_f(access, .true., error)
call h5fopen_f(path, H5F_ACC_RDWR_F, file, error, access)
`,
  );
}

export function hdf5ObjectMetadata(language: Language): Snippet {
  return inBoth(
    language,
    'HDF5: metadata of one object read together',
    `hid_t access = H5Pcreate(H5P_DATASET_ACCESS); /* for groups H5P_GROUP_ACCESS, for attributes H5P_ATTRIBUTE_ACCESS */
H5Pset_all_coll_metadata_ops(access, 1);
hid_t set = H5Dopen2(file, name, access);
`,
    `call h5pcreate_f(H5P_DATASET_ACCESS_F, access, error)   ! for groups H5P_GROUP_ACCESS_F
call h5pset_all_coll_metadata_ops_f(access, .true., error)
call h5dopen_f(file, name, set, error, access)
`,
  );
}

export function hdf5MetadataBlock(language: Language): Snippet {
  return inBoth(
    language,
    'HDF5: metadata in large blocks, objects in the newest format',
    `hid_t access = H5Pcreate(H5P_FILE_ACCESS);
H5Pset_meta_block_size(access, 1 << 20);
H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
hid_t file = H5Fopen(path, H5F_ACC_RDWR, access);
`,
    `call h5pcreate_f(H5P_FILE_ACCESS_F, access, error)
call h5pset_meta_block_size_f(access, 1048576_HSIZE_T, error)
call h5pset_libver_bounds_f(access, H5F_LIBVER_LATEST_F, H5F_LIBVER_LATEST_F, error)
call h5fopen_f(path, H5F_ACC_RDWR_F, file, error, access)
`,
  );
}

export function hdf5NoFillAndCache(language: Language): Snippet {
  return inBoth(
    language,
    'HDF5: no fill values, a cache that holds the chunks in use',
    `hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
H5Pset_chunk_cache(access, 12421, 64 << 20, 1.0);
`,
    `call h5pcreate_f(H5P_DATASET_CREATE_F, creation, error)
call h5pset_fill_time_f(creation, H5D_FILL_TIME_NEVER_F, error)
call h5pcreate_f(H5P_DATASET_ACCESS_F, access, error)
call h5pset_chunk_cache_f(access, 12421_SIZE_T, 67108864_SIZE_T, 1.0, error)
`,
  );
}

export function largerStreamBuffer(): Snippet {
  return {
    language: 'c',
    title: 'A larger buffer for the stream',
    code: `static char buffer[1 << 20]; /* glibc ignores the size where it has to make the buffer itself */
FILE *stream = fopen(path, "r");
setvbuf(stream, buffer, _IOFBF, sizeof buffer);
`,
  };
}

export function overlapped(language: Language): Snippet {
  return inBoth(
    language,
    'MPI-IO: compute while the data are written',
    `MPI_File_iwrite_at(file, offset, written, count, MPI_DOUBLE, &request);
compute(next); /* another buffer than the one that is written */
MPI_Wait(&request, MPI_STATUS_IGNORE);
`,
    `call MPI_File_iwrite_at(file, offset, written, count, MPI_DOUBLE_PRECISION, request, error)
call compute(next)   ! another buffer than the one that is written
call MPI_Wait(request, MPI_STATUS_IGNORE, error)
`,
  );
}

export function collectiveWithoutWaiting(language: Language): Snippet {
  return inBoth(
    language,
    'MPI-IO: a collective write that nobody waits in',
    `MPI_File_iwrite_at_all(file, offset, written, count, MPI_DOUBLE, &request);
compute(next); /* another buffer than the one that is written */
MPI_Wait(&request, MPI_STATUS_IGNORE);
`,
    `call MPI_File_iwrite_at_all(file, offset, written, count, MPI_DOUBLE_PRECISION, request, error)
call compute(next)   ! another buffer than the one that is written
call MPI_Wait(request, MPI_STATUS_IGNORE, error)
`,
  );
}

export function openOnceTogether(language: Language): Snippet {
  return inBoth(
    language,
    'MPI-IO: open once, write every step, close once',
    `MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, info, &file); /* before the loop */
for (int step = 0; step < steps; step++)
    MPI_File_write_at_all(file, step * snapshot + offset, buffer, count, MPI_DOUBLE, MPI_STATUS_IGNORE);
MPI_File_close(&file);
`,
    `call MPI_File_open(MPI_COMM_WORLD, path, IOR(MPI_MODE_CREATE, MPI_MODE_WRONLY), info, file, error)   ! before the loop
do step = 0, steps - 1
   call MPI_File_write_at_all(file, step * snapshot + offset, buffer, count, MPI_DOUBLE_PRECISION, &
                              MPI_STATUS_IGNORE, error)
end do
call MPI_File_close(file, error)
`,
  );
}

export function rangeLock(): Snippet {
  return {
    language: 'c',
    title: 'A lock on its own range only',
    code: `struct flock own = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = bytes};
fcntl(fd, F_SETLKW, &own);
pwrite(fd, buffer, bytes, offset);
own.l_type = F_UNLCK;
fcntl(fd, F_SETLK, &own);
`,
  };
}

export function hdf5ChunkCache(language: Language): Snippet {
  return inBoth(
    language,
    'HDF5: a cache that holds the chunks in use',
    `hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
H5Pset_chunk_cache(access, 12421, 64 << 20, 0.75); /* bytes: a row of unpacked chunks, or more */
hid_t dataset = H5Dopen(file, name, access);
`,
    `call h5pcreate_f(H5P_DATASET_ACCESS_F, access, error)
call h5pset_chunk_cache_f(access, 12421_SIZE_T, 67108864_SIZE_T, 0.75, error)   ! bytes: a row of unpacked chunks, or more
call h5dopen_f(file, name, dataset, error, access)
`,
  );
}

export function h5pyChunkCache(): Snippet {
  return {
    language: 'python',
    title: 'h5py: a cache that holds the chunks in use',
    code: `file = h5py.File(path, "r", rdcc_nbytes=64 << 20, rdcc_nslots=12421)  # bytes: a row of unpacked chunks, or more
`,
  };
}

export function netcdfChunkCache(): Snippet {
  return {
    language: 'c',
    title: 'NetCDF: a cache that holds the chunks in use',
    code: `nc_set_var_chunk_cache(file, variable, 64 << 20, 12421, 0.75f); /* bytes: a row of unpacked chunks, or more */
`,
  };
}

export function netcdfChunkCacheIn(): Snippet[] {
  return [
    {
      language: 'fortran',
      title: 'NetCDF: a cache that holds the chunks in use (Fortran)',
      code: `status = nf90_set_var_chunk_cache(file, variable, 67108864, 12421, 0.75)   ! bytes: a row of unpacked chunks, or more
`,
    },
    {
      language: 'python',
      title: 'netCDF4: a cache that holds the chunks in use',
      code: `variable.set_var_chunk_cache(size=64 << 20, nelems=12421, preemption=0.75)  # bytes: a row of unpacked chunks, or more
`,
    },
  ];
}

export function hdf5OneDataset(language: Language): Snippet {
  return inBoth(
    language,
    'HDF5: one data set for all of them',
    `hsize_t all[2] = {objects, values}, first[2] = {number, 0}, one[2] = {1, values};
hid_t space = H5Screate_simple(2, all, NULL), memory = H5Screate_simple(2, one, NULL);
hid_t dataset = H5Dcreate(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT); /* once */
H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, one, NULL);                                     /* for each */
H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, part);
`,
    `call h5screate_simple_f(2, [values, objects], space, error)
call h5dcreate_f(file, name, H5T_NATIVE_DOUBLE, space, dataset, error)   ! once
call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, [0_HSIZE_T, number], [values, 1_HSIZE_T], error)   ! for each
call h5dwrite_f(dataset, H5T_NATIVE_DOUBLE, part, [values], error, memory, space)
`,
  );
}

export function h5pyOneDataset(): Snippet {
  return {
    language: 'python',
    title: 'h5py: one data set for all of them',
    code: `dataset = file.create_dataset(name, (objects, values))  # once
dataset[number] = part  # for each
`,
  };
}

export function netcdfClassicBuffer(language: Language): Snippet {
  return inBoth(
    language,
    'NetCDF, classic format: a larger buffer, no fill values',
    `size_t buffer = 256 << 10;
nc__create(path, NC_64BIT_OFFSET, 0, &buffer, &file);
nc_set_fill(file, NC_NOFILL, NULL); /* where everything is written anyway */
`,
    `integer :: buffer = 262144
status = nf90_create(path, NF90_64BIT_OFFSET, file, initialsize=0, chunksize=buffer)
status = nf90_set_fill(file, NF90_NOFILL, before)   ! where everything is written anyway
`,
  );
}
