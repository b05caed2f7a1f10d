/* The layer POSIX: what is asked about files. */
/* Headers of glibc before 2.33 define these functions inline: then there is nothing of that name to be aliased. */
#include <features.h>
#undef __USE_EXTERN_INLINES
#include "../wrapper.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>

static int64_t size_of(const struct stat *status, int result)
{
    return result < 0 ? -1 : status->st_size;
}

#define PUT_SIZE() PUT_SIGNED(size_of(status, result)) PUT_RESULT()

AT_PATH(int, stat, "stat", "psr", (const char *path, struct stat *status), (path, status), PUT_PATH(path) PUT_SIZE());
ALIAS(stat64, stat);
AT_PATH(int, lstat, "lstat", "psr", (const char *path, struct stat *status), (path, status), PUT_PATH(path) PUT_SIZE());
ALIAS(lstat64, lstat);
AT_DESCRIPTOR(int, fstat, "fstat", "fsr", (int fd, struct stat *status), (fd, status), fd, PUT_SIGNED(fd) PUT_SIZE());
ALIAS(fstat64, fstat);
AT_DESCRIPTOR(int, fstatat, "fstatat", "dpksr", (int folder, const char *path, struct stat *status, int flags),
              (folder, path, status, flags), folder, PUT_SIGNED(folder) PUT_PATH(path) PUT_FLAGS(flags) PUT_SIZE());
ALIAS(fstatat64, fstatat);

/* What programs call that were linked with glibc before 2.33; the version is that of the structure. */
AT_PATH(int, __xstat, "stat", "psr", (int version, const char *path, struct stat *status), (version, path, status),
        PUT_PATH(path) PUT_SIZE());
ALIAS(__xstat64, __xstat);
AT_PATH(int, __lxstat, "lstat", "psr", (int version, const char *path, struct stat *status), (version, path, status),
        PUT_PATH(path) PUT_SIZE());
ALIAS(__lxstat64, __lxstat);
AT_DESCRIPTOR(int, __fxstat, "fstat", "fsr", (int version, int fd, struct stat *status), (version, fd, status), fd,
              PUT_SIGNED(fd) PUT_SIZE());
ALIAS(__fxstat64, __fxstat);
AT_DESCRIPTOR(int, __fxstatat, "fstatat", "dpksr",
              (int version, int folder, const char *path, struct stat *status, int flags),
              (version, folder, path, status, flags), folder,
              PUT_SIGNED(folder) PUT_PATH(path) PUT_FLAGS(flags) PUT_SIZE());
ALIAS(__fxstatat64, __fxstatat);

/* struct statx, which headers of older C libraries do not have: a mask of what is known, and the size. */
#define KNOWN_SIZE 0x200u
#define PLACE_OF_SIZE 40

static int64_t extended_size_of(const void *status, int result)
{
    uint32_t known;
    int64_t size;
    if (result < 0) return -1;
    memcpy(&known, status, sizeof known);
    memcpy(&size, (const char *)status + PLACE_OF_SIZE, sizeof size);
    return (known & KNOWN_SIZE) != 0 ? size : -1;
}

AT_DESCRIPTOR(int, statx, "statx", "dpksr", (int folder, const char *path, int flags, unsigned mask, void *status),
              (folder, path, flags, mask, status), folder,
              PUT_SIGNED(folder) PUT_PATH(path) PUT_FLAGS(flags) PUT_SIGNED(extended_size_of(status, result)) PUT_RESULT());

/* ---- file systems ---- */

#define STATUS_OF_PATH(symbol)                                                                                         \
    AT_PATH(int, symbol, #symbol, "pr", (const char *path, void *status), (path, status), PUT_PATH(path) PUT_RESULT())
#define STATUS_OF_DESCRIPTOR(symbol)                                                                                   \
    AT_DESCRIPTOR(int, symbol, #symbol, "fr", (int fd, void *status), (fd, status), fd, PUT_SIGNED(fd) PUT_RESULT())

STATUS_OF_PATH(statfs);
ALIAS(statfs64, statfs);
STATUS_OF_PATH(statvfs);
ALIAS(statvfs64, statvfs);
STATUS_OF_DESCRIPTOR(fstatfs);
ALIAS(fstatfs64, fstatfs);
STATUS_OF_DESCRIPTOR(fstatvfs);
ALIAS(fstatvfs64, fstatvfs);

/* ---- rights ---- */

AT_PATH(int, access, "access", "pkr", (const char *path, int kind), (path, kind), PUT_PATH(path) PUT_FLAGS(kind) PUT_RESULT());
AT_PATH(int, eaccess, "eaccess", "pkr", (const char *path, int kind), (path, kind),
        PUT_PATH(path) PUT_FLAGS(kind) PUT_RESULT());
AT_PATH(int, euidaccess, "euidaccess", "pkr", (const char *path, int kind), (path, kind),
        PUT_PATH(path) PUT_FLAGS(kind) PUT_RESULT());
AT_DESCRIPTOR(int, faccessat, "faccessat", "dpkr", (int folder, const char *path, int kind, int flags),
              (folder, path, kind, flags), folder, PUT_SIGNED(folder) PUT_PATH(path) PUT_FLAGS(kind) PUT_RESULT());

/* ---- what links point to ---- */

#define PUT_LINK() PUT_PATH(path) PUT_RESULT()

AT_PATH(ssize_t, readlink, "readlink", "pr", (const char *path, char *target, size_t size), (path, target, size), PUT_LINK());
AT_PATH(ssize_t, __readlink_chk, "readlink", "pr", (const char *path, char *target, size_t size, size_t room),
        (path, target, size, room), PUT_LINK());
AT_DESCRIPTOR(ssize_t, readlinkat, "readlinkat", "dpr", (int folder, const char *path, char *target, size_t size),
              (folder, path, target, size), folder, PUT_SIGNED(folder) PUT_LINK());
AT_DESCRIPTOR(ssize_t, __readlinkat_chk, "readlinkat", "dpr",
              (int folder, const char *path, char *target, size_t size, size_t room), (folder, path, target, size, room),
              folder, PUT_SIGNED(folder) PUT_LINK());
AT_PATH(char *, realpath, "realpath", "pr", (const char *path, char *resolved), (path, resolved),
        PUT_PATH_OF_POINTER(path) PUT_POINTER_RESULT());
AT_PATH(char *, __realpath_chk, "realpath", "pr", (const char *path, char *resolved, size_t room), (path, resolved, room),
        PUT_PATH_OF_POINTER(path) PUT_POINTER_RESULT());
AT_PATH(char *, canonicalize_file_name, "canonicalize_file_name", "pr", (const char *path), (path),
        PUT_PATH_OF_POINTER(path) PUT_POINTER_RESULT());
