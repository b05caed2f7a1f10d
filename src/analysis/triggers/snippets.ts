import { formatBytes, formatCount } from '../quantities.ts';
import type { Snippet } from './insight.ts';

/** A buffer that takes about a thousand requests, between 64 KiB and 4 MiB, as a power of two. */
export function bufferSize(medianBytes: number): number {
  const wanted = Number.isNaN(medianBytes) ? 0 : medianBytes * 1000;
  return Math.min(4 << 20, Math.max(64 << 10, 2 ** Math.ceil(Math.log2(Math.max(wanted, 1)))));
}

export function bufferedWrite(count: number, medianBytes: number): Snippet {
  const size = bufferSize(medianBytes);
  const calls = Math.max(1, Math.ceil((count * medianBytes) / size));
  return {
    language: 'c',
    title: `Collect writes in a buffer of ${formatBytes(size)}`,
    code: `/* ${formatCount(count)} writes of ${formatBytes(medianBytes)} become ${formatCount(calls)}. */
FILE *out = fopen(path, "wb");
setvbuf(out, NULL, _IOFBF, ${size});
for (size_t i = 0; i < count; i++)
    fwrite(record, size, 1, out);
fclose(out);
`,
  };
}

export function bufferedRead(count: number, medianBytes: number): Snippet {
  const size = bufferSize(medianBytes);
  const calls = Math.max(1, Math.ceil((count * medianBytes) / size));
  return {
    language: 'c',
    title: `Read through a buffer of ${formatBytes(size)}`,
    code: `/* ${formatCount(count)} reads of ${formatBytes(medianBytes)} become ${formatCount(calls)}. */
FILE *in = fopen(path, "rb");
setvbuf(in, NULL, _IOFBF, ${size});
while (fread(record, size, 1, in) == 1)
    use(record);
fclose(in);
`,
  };
}

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

export function sortedReads(count: number): Snippet {
  return {
    language: 'c',
    title: 'Read in the order of the file',
    code: `/* Sort the ${formatCount(count)} places first: neighbours then come from one page. */
qsort(places, count, sizeof places[0], compare_offsets);
for (size_t i = 0; i < count; i++)
    pread(fd, records[places[i].index], size, places[i].offset);
`,
  };
}

export function mappedReads(): Snippet {
  return {
    language: 'c',
    title: 'Map the file once',
    code: `struct stat status;
fstat(fd, &status);
const char *table = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
madvise((void *)table, status.st_size, MADV_RANDOM);
/* table[offset] instead of one pread for each record */
`,
  };
}

export function alignedWrites(alignment: number): Snippet {
  return {
    language: 'c',
    title: `Begin every rank's part at a multiple of ${formatBytes(alignment)}`,
    code: `/* Round the chunk up, so that no two ranks meet inside one block. */
const size_t aligned = (chunk + ${alignment - 1}) / ${alignment} * ${alignment};
off_t offset = ((off_t)step * ranks + rank) * aligned;
pwrite(fd, buffer, chunk, offset);
`,
  };
}

export function keptInMemory(medianBytes: number): Snippet {
  return {
    language: 'c',
    title: 'Read it once and keep it',
    code: `static char kept[${Number.isNaN(medianBytes) ? 4096 : medianBytes}];
static int have = 0;
if (!have) {
    have = pread(fd, kept, sizeof kept, 0) == (ssize_t)sizeof kept;
}
`,
  };
}

export function syncOnce(count: number): Snippet {
  return {
    language: 'c',
    title: 'Synchronise once, at the end',
    code: `for (int step = 0; step < steps; step++)
    write(fd, page, sizeof page);
fsync(fd); /* once instead of ${formatCount(count)} times */
close(fd);
`,
  };
}

export function openOnce(count: number): Snippet {
  return {
    language: 'c',
    title: 'Open before the loop, close behind it',
    code: `int fd = open(path, flags, 0644); /* once instead of ${formatCount(count)} times */
for (int step = 0; step < steps; step++)
    write(fd, line, length);
close(fd);
`,
  };
}

export function positionedAccess(): Snippet {
  return {
    language: 'c',
    title: 'Give the offset with the call',
    code: `/* pread and pwrite take the offset: no lseek in front of them. */
pwrite(fd, &value, sizeof value, offset);
`,
  };
}

export function fewerMetadataCalls(): Snippet {
  return {
    language: 'c',
    title: 'Ask once for each folder',
    code: `/* One pass over the folder instead of one question for each name. */
DIR *folder = opendir(path);
for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
    remember(entry->d_name);
closedir(folder);
`,
  };
}
