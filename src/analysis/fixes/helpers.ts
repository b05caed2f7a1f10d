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

export const OPEN_ONCE = {
  headers: ['fcntl.h', 'string.h', 'unistd.h'],
  names: ['kept_files', 'open_once', 'keep_open'],
};

export function openOnceHelper(storage: Storage): string {
  return `/* Keeps files open from one use to the next.
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

/** Everything that the helpers define. */
export const HELPER_NAMES: readonly string[] = OPEN_ONCE.names;
