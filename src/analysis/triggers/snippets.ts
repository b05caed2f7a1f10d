import { formatBytes, formatCount } from '../../base/quantities.ts';
import type { Snippet } from './insight.ts';

/** A buffer that takes about a thousand requests, between 64 KiB and 4 MiB, as a power of two. */
export function bufferSize(medianBytes: number): number {
  const wanted = Number.isNaN(medianBytes) ? 0 : medianBytes * 1000;
  return Math.min(4 << 20, Math.max(64 << 10, 2 ** Math.ceil(Math.log2(Math.max(wanted, 1)))));
}

/** `of 16 B`, or of a mix what it moves. */
function sizeOf(count: number, medianBytes: number, bytes: number): string {
  return bytes === count * medianBytes ? `of ${formatBytes(medianBytes)}` : `(${formatBytes(bytes)} in all)`;
}

export function bufferedWrite(count: number, medianBytes: number, bytes = count * medianBytes): Snippet {
  const size = bufferSize(medianBytes);
  const calls = Math.max(1, Math.ceil(bytes / size));
  return {
    language: 'c',
    title: `Collect writes in a buffer of ${formatBytes(size)}`,
    code: `/* ${formatCount(count)} writes ${sizeOf(count, medianBytes, bytes)} become ${formatCount(calls)}. */
static char buffer[${size}]; /* glibc ignores the size where it has to make the buffer itself */
FILE *out = fopen(path, "wb");
setvbuf(out, buffer, _IOFBF, sizeof buffer);
for (size_t i = 0; i < count; i++)
    fwrite(record, size, 1, out);
fclose(out);
`,
  };
}

export function bufferedUntilSync(): Snippet {
  return {
    language: 'c',
    title: 'Collect writes in a buffer, and write it out before each synchronisation',
    code: `for (size_t i = 0; i < records; i++)
    fwrite(record[i], size, 1, out); /* FILE *out instead of the descriptor */
if (fflush(out) != 0 || fdatasync(fileno(out)) != 0)
    return -1; /* they are not safe */
`,
  };
}

export function bufferedUntilSyncInPython(): Snippet {
  return {
    language: 'python',
    title: 'Collect writes in a buffer, and write it out before each synchronisation (Python)',
    code: `for record in records:
    out.write(record)
out.flush()  # else the next line makes safe what is not there yet
os.fdatasync(out.fileno())
`,
  };
}

export function bufferedRead(count: number, medianBytes: number, bytes = count * medianBytes): Snippet {
  const size = bufferSize(medianBytes);
  const calls = Math.max(1, Math.ceil(bytes / size));
  return {
    language: 'c',
    title: `Read through a buffer of ${formatBytes(size)}`,
    code: `/* ${formatCount(count)} reads ${sizeOf(count, medianBytes, bytes)} become ${formatCount(calls)}. */
static char buffer[${size}]; /* glibc ignores the size where it has to make the buffer itself */
FILE *in = fopen(path, "rb");
setvbuf(in, buffer, _IOFBF, sizeof buffer);
while (fread(record, size, 1, in) == 1)
    use(record);
fclose(in);
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

export function sortedReadsInPython(count: number): Snippet {
  return {
    language: 'python',
    title: 'Read in the order of the file (Python)',
    code: `# Sort the ${formatCount(count)} places first: neighbours then come from one page.
for offset in sorted(places):
    records[offset] = os.pread(file.fileno(), size, offset)
`,
  };
}

export function mappedReadsInPython(): Snippet {
  return {
    language: 'python',
    title: 'Map the file once (Python)',
    code: `table = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
record = table[offset:offset + size]  # instead of one read for each record
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

export function keptInMemoryInPython(): Snippet {
  return {
    language: 'python',
    title: 'Read it once and keep it (Python)',
    code: `@functools.cache
def table(path):
    return pathlib.Path(path).read_bytes()
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

export function positionedAccess(): Snippet {
  return {
    language: 'c',
    title: 'Give the offset with the call',
    code: `/* pread and pwrite take the offset: no lseek in front of them. */
pwrite(fd, &value, sizeof value, offset);
`,
  };
}

export function keptPosition(): Snippet {
  return {
    language: 'c',
    title: 'Keep the place',
    code: `/* The place is known: no lseek or ftell in front of each record. */
off_t position = 0;
ssize_t got;
while ((got = read(fd, record, size)) > 0) {
    starts[count++] = position;
    position += got;
}
`,
  };
}

export function keptPositionInPython(): Snippet {
  return {
    language: 'python',
    title: 'Keep the place (Python)',
    code: `# The place is known: no tell() in front of each line.
position = 0
with open(path, "rb") as lines:
    for line in lines:
        starts.append(position)
        position += len(line)
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

export function backwardInPieces(): Snippet {
  return {
    language: 'c',
    title: 'Walk back in memory, not in the file',
    code: `/* One read of 1 MiB, then its records from the last to the first. */
for (off_t end = file_size; end > 0; end -= length) {
    length = end < PIECE ? end : PIECE;
    pread(fd, piece, length, end - length);
    for (off_t at = length - RECORD; at >= 0; at -= RECORD)
        use(piece + at);
}
`,
  };
}

export function sievedRead(): Snippet {
  return {
    language: 'c',
    title: 'Read the range once, pick the parts in memory',
    code: `/* The gaps are read too: one call instead of one for each part. */
pread(fd, range, (count - 1) * stride + size, first);
for (size_t i = 0; i < count; i++)
    use(range + i * stride);
`,
  };
}

export function transposedWrite(): Snippet {
  return {
    language: 'c',
    title: 'Put the block together, then write it in one piece',
    code: `for (size_t column = 0; column < columns; column++)
    for (size_t row = 0; row < rows; row++)
        block[row * columns + column] = value(row, column);
pwrite(fd, block, rows * columns * sizeof block[0], 0);
`,
  };
}

export function askedOnce(): Snippet {
  return {
    language: 'c',
    title: 'Ask once, keep the answer',
    code: `struct stat status;
if (stat(path, &status) != 0) /* before the loop */
    return -1;
for (int step = 0; step < steps; step++)
    use(status.st_size);
`,
  };
}

export function oneFileForMany(): Snippet {
  return {
    language: 'c',
    title: 'One file with a table of contents',
    code: `/* Instead of one file for each piece. */
struct entry { uint64_t id, offset, length; };
for (size_t i = 0; i < count; i++) {
    table[i] = (struct entry){ pieces[i].id, offset, pieces[i].length };
    fwrite(pieces[i].data, pieces[i].length, 1, out);
    offset += pieces[i].length;
}
fwrite(table, sizeof table[0], count, out);
`,
  };
}

export function alignedBuffer(): Snippet {
  return {
    language: 'c',
    title: 'A buffer at the beginning of a page',
    code: `void *buffer;
if (posix_memalign(&buffer, 4096, bytes) != 0)
    return -1;
pwrite(fd, buffer, bytes, offset);
free(buffer);
`,
  };
}

export function headerLast(): Snippet {
  return {
    language: 'c',
    title: 'Write the header once, when it is complete',
    code: `struct header header = {.records = 0};
for (size_t i = 0; i < count; i++) {
    pwrite(fd, &records[i], size, (off_t)(sizeof header + i * size));
    header.records++; /* in memory */
}
pwrite(fd, &header, sizeof header, 0);
`,
  };
}

export function appended(): Snippet {
  return {
    language: 'c',
    title: 'Append to the file',
    code: `int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
write(fd, record, sizeof record); /* at the end, without an lseek */
`,
  };
}

export function appendedInPython(): Snippet {
  return {
    language: 'python',
    title: 'Append to the file (Python)',
    code: `with open(path, "ab") as out:
    out.write(record)  # at the end, without a seek
`,
  };
}

export function positionedAccessInPython(): Snippet {
  return {
    language: 'python',
    title: 'Give the offset with the call (Python)',
    code: `# os.pread and os.pwrite take the offset: no seek in front of them.
os.pwrite(file.fileno(), value, offset)
`,
  };
}

export function syncOnceInPython(count: number): Snippet {
  return {
    language: 'python',
    title: 'Synchronise once, at the end (Python)',
    code: `with open(path, "wb") as out:
    for page in pages:
        out.write(page)
    out.flush()
    os.fsync(out.fileno())  # once instead of ${formatCount(count)} times
`,
  };
}

export function askedOnceInPython(): Snippet {
  return {
    language: 'python',
    title: 'Ask once, keep the answer (Python)',
    code: `size = os.stat(path).st_size  # before the loop
for step in range(steps):
    use(size)
`,
  };
}

export function countedLength(): Snippet {
  return {
    language: 'c',
    title: 'Keep the length of the file',
    code: `struct stat status;
off_t length = fstat(fd, &status) == 0 ? status.st_size : 0; /* once, after the open */
...
ssize_t written = write(fd, line, bytes);
if (written > 0)
    length += written; /* instead of an fstat before each write */
`,
  };
}

export function countedLengthInPython(): Snippet {
  return {
    language: 'python',
    title: 'Keep the length of the file (Python)',
    code: `length = os.fstat(out.fileno()).st_size  # once, after the open
...
length += out.write(line)  # bytes; instead of an fstat before each write
`,
  };
}

export function fewerMetadataCallsInPython(): Snippet {
  return {
    language: 'python',
    title: 'Ask once for each folder (Python)',
    code: `# One pass over the folder instead of one question for each name.
names = {entry.name for entry in os.scandir(path)}
`,
  };
}
