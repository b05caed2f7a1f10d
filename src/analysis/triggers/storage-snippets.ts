import { formatCount } from '../../base/quantities.ts';
import type { Snippet } from './insight.ts';

/** Code for calls that wait for the storage, and for copies inside the kernel. */

export function groupCommit(count: number): Snippet {
  return {
    language: 'c',
    title: 'Make several records safe together',
    code: `/* ${formatCount(count)} waits in this run become one for each group. */
for (size_t i = 0; i < records; i++) {
    write(fd, record[i], size);
    if ((i + 1) % group == 0)
        fdatasync(fd); /* acknowledge the whole group now */
}
fdatasync(fd);
`,
  };
}

export function syncWhereNeeded(count: number): Snippet {
  return {
    language: 'c',
    title: 'Open without O_SYNC, synchronise where it is needed',
    code: `/* ${formatCount(count)} writes waited for the storage, one by one. */
int fd = open(path, O_WRONLY | O_CREAT, 0644); /* no O_SYNC, no O_DSYNC */
for (size_t i = 0; i < records; i++)
    write(fd, record[i], size);
fdatasync(fd); /* from here on they are safe */
`,
  };
}

export function largeDirectPieces(): Snippet {
  return {
    language: 'c',
    title: 'Past the page cache in pieces of 1 MiB',
    code: `enum { PIECE = 1 << 20 };
void *piece;
if (posix_memalign(&piece, 4096, PIECE) != 0)
    return -1;
while (fill(piece, PIECE)) /* many records for one call */
    write(fd, piece, PIECE);
`,
  };
}

export function largeCopies(): Snippet {
  return {
    language: 'c',
    title: 'As much with each copy as there is',
    code: `/* The kernel copies as much as it can with one call, and says how much that was. */
for (ssize_t copied; left > 0; left -= copied) {
    copied = copy_file_range(in, NULL, out, NULL, left, 0);
    if (copied <= 0)
        break;
}
`,
  };
}

export function oneArrayInPython(): Snippet {
  return {
    language: 'python',
    title: 'One file instead of one for each sample (Python)',
    code: `# Once: all samples behind each other in one file.
numpy.save('samples.npy', numpy.stack([load(path) for path in paths]))

# In each process: mapped, so that an epoch opens nothing and reads only what it uses.
samples = numpy.load('samples.npy', mmap_mode='r')
for i in order:
    train(samples[i])
`,
  };
}

export function waitedForChange(): Snippet {
  return {
    language: 'c',
    title: 'Wait until a file appears (inotify, local file systems)',
    code: `int events = inotify_init1(IN_CLOEXEC);
inotify_add_watch(events, folder, IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE);
/* It may be there already: look after the watch is set, and then after each event. */
char event[4096];
while (access(path, F_OK) != 0)
    if (read(events, event, sizeof event) < 0)
        break;
close(events);
`,
  };
}
