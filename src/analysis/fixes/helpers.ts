import { counted, formatBytes, formatCount } from '../../base/quantities.ts';
import { bufferSize } from '../triggers/snippets.ts';
import type { FixLanguage } from './fix.ts';

/**
 * The C functions that fixes put into a file. They compile as C and as C++, without warnings, and hold the numbers of the
 * recording. `storage` is `static` in a source file and `static inline` in a header, where a file may use only some.
 */

/** How the helper's functions and its state are declared. */
interface Storage {
  readonly functions: string;
  /** What stands in front of `struct …`, and the struct's name where it must have one. */
  readonly state: string;
  readonly nameOf: (name: string) => string;
}

const SOURCE_FILE: Storage = { functions: 'static', state: 'static', nameOf: () => '' };
/** One state for all files that include the header: inline variables of C++17. */
const CXX_HEADER: Storage = { functions: 'inline', state: 'inline', nameOf: (name) => `${name} ` };

/** undefined for C headers: C has no way to share the state from there. */
export function storageIn(file: string, language: FixLanguage): Storage | undefined {
  if (!/\.(h|hh|hpp|hxx|inl|ipp|tcc)$/i.test(file)) return SOURCE_FILE;
  return language === 'cpp' ? CXX_HEADER : undefined;
}

export const BUFFERED_WRITE = {
  headers: ['errno.h', 'stdlib.h', 'string.h', 'unistd.h'],
  names: ['pending_writes', 'flush_writes', 'flush_writes_at_exit', 'buffered_write', 'buffered_close'],
};

export function bufferedWriteHelper(storage: Storage, count: number, medianBytes: number): string {
  const size = bufferSize(medianBytes);
  const calls = Math.max(1, Math.ceil((count * medianBytes) / size));
  return `/* Collects small writes: ${counted(count, 'write')} of ${formatBytes(medianBytes)} become ${formatCount(calls)}.
   What is pending is written when the buffer is full, at buffered_close(), and at exit. */
${storage.state} struct ${storage.nameOf('PendingWrites')}{
    int fd;
    pid_t owner;
    size_t used;
    char data[${size}];
} pending_writes = {-1, 0, 0, {0}};

/* Call this before anything else looks at the file. */
${storage.functions} int flush_writes(void)
{
    size_t done = 0;
    if (pending_writes.owner != getpid())
        pending_writes.used = 0; /* a forked child: these bytes are the parent's */
    while (done < pending_writes.used) {
        ssize_t written = write(pending_writes.fd, pending_writes.data + done, pending_writes.used - done);
        if (written >= 0)
            done += (size_t)written;
        else if (errno != EINTR)
            return -1;
    }
    pending_writes.used = 0;
    return 0;
}

${storage.functions} void flush_writes_at_exit(void)
{
    (void)flush_writes();
}

${storage.functions} ssize_t buffered_write(int fd, const void *data, size_t size)
{
    static int registered = 0;
    const char *from = (const char *)data;
    size_t left = size;
    if (!registered)
        registered = atexit(flush_writes_at_exit) == 0;
    if (fd != pending_writes.fd || pending_writes.owner != getpid() ||
        size > sizeof pending_writes.data - pending_writes.used) {
        if (flush_writes() != 0)
            return -1;
        pending_writes.fd = fd;
        pending_writes.owner = getpid();
    }
    while (left > 0) {
        size_t room = sizeof pending_writes.data - pending_writes.used;
        size_t part = left < room ? left : room;
        memcpy(pending_writes.data + pending_writes.used, from, part);
        pending_writes.used += part;
        from += part;
        left -= part;
        if (pending_writes.used == sizeof pending_writes.data && flush_writes() != 0)
            return -1;
    }
    return (ssize_t)size;
}

${storage.functions} int buffered_close(int fd)
{
    int failed = fd == pending_writes.fd ? flush_writes() : 0;
    if (fd == pending_writes.fd)
        pending_writes.fd = -1;
    return close(fd) != 0 || failed ? -1 : 0;
}

`;
}

export const OPEN_ONCE = {
  headers: ['fcntl.h', 'string.h', 'unistd.h'],
  names: ['kept_files', 'open_once', 'keep_open'],
};

export function openOnceHelper(storage: Storage, count: number): string {
  return `/* Keeps files open from one use to the next: ${counted(count, 'open')} of the same file become 1.
   Not for files that are removed or replaced in between. They are closed when the program ends. */
${storage.state} struct ${storage.nameOf('KeptFile')}{
    char path[1024];
    int flags;
    int fd;
    int used;
} kept_files[8];

${storage.functions} int open_once(const char *path, int flags, mode_t mode)
{
    int fd;
    size_t i, free_place = sizeof kept_files / sizeof kept_files[0];
    for (i = 0; i < sizeof kept_files / sizeof kept_files[0]; i++) {
        if (!kept_files[i].used) {
            free_place = i;
        } else if (kept_files[i].flags == flags && strcmp(kept_files[i].path, path) == 0) {
            fd = kept_files[i].fd;
            if ((flags & O_TRUNC) != 0 && ftruncate(fd, 0) != 0)
                return -1;
            if ((flags & O_APPEND) == 0 && lseek(fd, 0, SEEK_SET) < 0)
                return -1;
            return fd;
        }
    }
    fd = open(path, flags, mode);
    if (fd >= 0 && (flags & O_EXCL) == 0 && free_place < sizeof kept_files / sizeof kept_files[0] &&
        strlen(path) < sizeof kept_files[0].path) {
        strcpy(kept_files[free_place].path, path);
        kept_files[free_place].flags = flags;
        kept_files[free_place].fd = fd;
        kept_files[free_place].used = 1;
    }
    return fd;
}

${storage.functions} int keep_open(int fd)
{
    size_t i;
    for (i = 0; i < sizeof kept_files / sizeof kept_files[0]; i++)
        if (kept_files[i].used && kept_files[i].fd == fd)
            return 0;
    return close(fd);
}

`;
}

export const SYNC_ONCE = {
  headers: ['stdlib.h', 'unistd.h'],
  names: ['unsynced_files', 'sync_at_exit', 'sync_later', 'sync_and_close'],
};

export function syncOnceHelper(storage: Storage, count: number): string {
  return `/* Puts synchronisation off until the file is closed: ${counted(count, 'synchronisation')} become 1.
   Until then a power failure can lose what was written. */
${storage.state} unsigned char unsynced_files[1024];

${storage.functions} void sync_at_exit(void)
{
    int fd;
    for (fd = 0; fd < (int)sizeof unsynced_files; fd++)
        if (unsynced_files[fd])
            (void)fsync(fd);
}

${storage.functions} int sync_later(int fd)
{
    static int registered = 0;
    if (fd < 0 || fd >= (int)sizeof unsynced_files)
        return fsync(fd);
    if (!registered)
        registered = atexit(sync_at_exit) == 0;
    unsynced_files[fd] = 1;
    return 0;
}

${storage.functions} int sync_and_close(int fd)
{
    int failed = 0;
    if (fd >= 0 && fd < (int)sizeof unsynced_files && unsynced_files[fd]) {
        unsynced_files[fd] = 0;
        failed = fsync(fd);
    }
    return close(fd) != 0 || failed ? -1 : 0;
}

`;
}

/** Everything that the helpers define. */
export const HELPER_NAMES: readonly string[] = [BUFFERED_WRITE, OPEN_ONCE, SYNC_ONCE].flatMap(({ names }) => names);
