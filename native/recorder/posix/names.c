/* The layer POSIX: names, rights and times of files. */
#include "../wrapper.h"
#include <sys/types.h>

#define OF_PATH(symbol, parameters, arguments)                                                                         \
    AT_PATH(int, symbol, #symbol, "pr", parameters, arguments, PUT_PATH(path) PUT_RESULT())
#define OF_DESCRIPTOR(symbol, parameters, arguments)                                                                   \
    AT_DESCRIPTOR(int, symbol, #symbol, "fr", parameters, arguments, fd, PUT_SIGNED(fd) PUT_RESULT())
#define OF_FOLDER(symbol, parameters, arguments)                                                                       \
    AT_DESCRIPTOR(int, symbol, #symbol, "dpr", parameters, arguments, folder, PUT_SIGNED(folder) PUT_PATH(path) PUT_RESULT())

OF_PATH(unlink, (const char *path), (path));
OF_PATH(remove, (const char *path), (path));
OF_PATH(rmdir, (const char *path), (path));
AT_DESCRIPTOR(int, unlinkat, "unlinkat", "dpkr", (int folder, const char *path, int flags), (folder, path, flags), folder,
              PUT_SIGNED(folder) PUT_PATH(path) PUT_FLAGS(flags) PUT_RESULT());
OF_PATH(mkdir, (const char *path, mode_t mode), (path, mode));
OF_FOLDER(mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode));
OF_PATH(mkfifo, (const char *path, mode_t mode), (path, mode));
OF_FOLDER(mkfifoat, (int folder, const char *path, mode_t mode), (folder, path, mode));
OF_PATH(mknod, (const char *path, mode_t mode, dev_t device), (path, mode, device));
OF_FOLDER(mknodat, (int folder, const char *path, mode_t mode, dev_t device), (folder, path, mode, device));
OF_PATH(chdir, (const char *path), (path));
OF_DESCRIPTOR(fchdir, (int fd), (fd));

/* ---- two names ---- */

#define FOLDERS int folder, const char *path, int other_folder, const char *other
#define PUT_TWO() PUT_PATH(path) PUT_PATH(other)
#define PUT_FOLDERS() PUT_SIGNED(folder) PUT_PATH(path) PUT_SIGNED(other_folder) PUT_PATH(other)

/* Of one or two folders. */
static bool begin_in(struct call *call, struct function *function, int folder, int other_folder, void *frame)
{
    descriptor_described(folder);
    descriptor_described(other_folder);
    return call_begin_from(call, function, frame);
}

#define BETWEEN(symbol, roles, parameters, arguments, ...)                                                             \
    WRAPPER(LAYER_POSIX, int, symbol, #symbol, roles, parameters, arguments,                                           \
            begin_in(&call, &function_##symbol, folder, other_folder, __builtin_frame_address(0)), __VA_ARGS__)

AT_PATH(int, rename, "rename", "pPr", (const char *path, const char *other), (path, other), PUT_TWO() PUT_RESULT());
BETWEEN(renameat, "dpDPr", (FOLDERS), (folder, path, other_folder, other), PUT_FOLDERS() PUT_RESULT());
BETWEEN(renameat2, "dpDPkr", (FOLDERS, unsigned flags), (folder, path, other_folder, other, flags),
        PUT_FOLDERS() PUT_FLAGS(flags) PUT_RESULT());
AT_PATH(int, link, "link", "pPr", (const char *path, const char *other), (path, other), PUT_TWO() PUT_RESULT());
BETWEEN(linkat, "dpDPkr", (FOLDERS, int flags), (folder, path, other_folder, other, flags),
        PUT_FOLDERS() PUT_FLAGS(flags) PUT_RESULT());
/* What is in a symbolic link is only a text. */
AT_PATH(int, symlink, "symlink", "Npr", (const char *text, const char *path), (text, path),
        PUT_PATH(text) PUT_PATH(path) PUT_RESULT());
AT_DESCRIPTOR(int, symlinkat, "symlinkat", "Ndpr", (const char *text, int folder, const char *path), (text, folder, path),
              folder, PUT_PATH(text) PUT_SIGNED(folder) PUT_PATH(path) PUT_RESULT());

/* ---- rights and owners ---- */

OF_PATH(chmod, (const char *path, mode_t mode), (path, mode));
OF_DESCRIPTOR(fchmod, (int fd, mode_t mode), (fd, mode));
OF_FOLDER(fchmodat, (int folder, const char *path, mode_t mode, int flags), (folder, path, mode, flags));
OF_PATH(chown, (const char *path, uid_t user, gid_t group), (path, user, group));
OF_PATH(lchown, (const char *path, uid_t user, gid_t group), (path, user, group));
OF_DESCRIPTOR(fchown, (int fd, uid_t user, gid_t group), (fd, user, group));
OF_FOLDER(fchownat, (int folder, const char *path, uid_t user, gid_t group, int flags), (folder, path, user, group, flags));

/* ---- times ---- */

OF_PATH(utime, (const char *path, const void *times), (path, times));
OF_PATH(utimes, (const char *path, const void *times), (path, times));
OF_PATH(lutimes, (const char *path, const void *times), (path, times));
OF_DESCRIPTOR(futimes, (int fd, const void *times), (fd, times));
OF_DESCRIPTOR(futimens, (int fd, const void *times), (fd, times));
OF_FOLDER(futimesat, (int folder, const char *path, const void *times), (folder, path, times));
OF_FOLDER(utimensat, (int folder, const char *path, const void *times, int flags), (folder, path, times, flags));
