/* The layer POSIX: reading folders. */
#include "../wrapper.h"
#include <dirent.h>
#include <sys/types.h>

/* Where it is another name of the same (musl), nobody calls it by this one. */
#undef getdents64

/* The descriptor below; -1, and errno as it was, where there is none. */
static int descriptor_of(DIR *folder)
{
    int before = errno;
    int fd = folder == NULL ? -1 : dirfd(folder);
    errno = before;
    return fd;
}

static bool begin_in(struct call *call, struct function *function, int fd, void *frame)
{
    descriptor_described(fd);
    return call_begin_from(call, function, frame);
}

WRAPPED(opendir, "opendir", LAYER_POSIX, "opendir", "pr");
DECLARED(DIR *, opendir, (const char *path));
EXPORTED DIR *recorded_opendir(const char *path)
{
    DIR *(*real)(const char *) = (DIR * (*)(const char *)) REAL_OF(opendir);
    struct call call;
    if (!call_begin(&call, &function_opendir)) return real(path);
    DIR *result = real(path);
    if (call_end(&call)) {
        int fd = descriptor_of(result);
        descriptor_opened(fd);
        PUT_PATH_OF_POINTER(path)
        put_result(&call, fd);
        call_commit(&call);
    }
    return result;
}

AT_DESCRIPTOR(DIR *, fdopendir, "fdopendir", "fr", (int fd), (fd), fd, PUT_SIGNED(fd) PUT_POINTER_RESULT());

WRAPPED(closedir, "closedir", LAYER_POSIX, "closedir", "fr");
DECLARED(int, closedir, (DIR *folder));
EXPORTED int recorded_closedir(DIR *folder)
{
    int (*real)(DIR *) = (int (*)(DIR *))REAL_OF(closedir);
    int fd = descriptor_of(folder);
    struct call call;
    bool is_recorded = begin_in(&call, &function_closedir, fd, __builtin_frame_address(0));
    descriptor_closed(fd);
    int result = real(folder);
    if (is_recorded && call_end(&call)) {
        PUT_SIGNED(fd) PUT_RESULT()
        call_commit(&call);
    }
    return result;
}

/* An entry is 1, the end 0. */
WRAPPED(readdir, "readdir", LAYER_POSIX, "readdir", "fr");
DECLARED(struct dirent *, readdir, (DIR *folder));
EXPORTED struct dirent *recorded_readdir(DIR *folder)
{
    struct dirent *(*real)(DIR *) = (struct dirent * (*)(DIR *)) REAL_OF(readdir);
    int fd = descriptor_of(folder);
    int before = errno;
    struct call call;
    if (!begin_in(&call, &function_readdir, fd, __builtin_frame_address(0))) return real(folder);
    struct dirent *result = real(folder);
    if (call_end(&call)) {
        // The end of the folder leaves errno as it was.
        PUT_SIGNED(fd)
        put_result(&call, result != NULL ? 1 : call.error == before ? 0 : -1);
        call_commit(&call);
    }
    return result;
}
ALIAS(readdir64, readdir);

AT_DESCRIPTOR(ssize_t, getdents64, "getdents64", "fnr", (int fd, void *entries, size_t size), (fd, entries, size), fd,
              PUT_SIGNED(fd) PUT(size) PUT_RESULT());

#define CHOICE int (*choose)(const struct dirent *), int (*compare)(const struct dirent **, const struct dirent **)

AT_PATH(int, scandir, "scandir", "pr", (const char *path, struct dirent ***entries, CHOICE), (path, entries, choose, compare),
        PUT_PATH(path) PUT_RESULT());
ALIAS(scandir64, scandir);
AT_DESCRIPTOR(int, scandirat, "scandirat", "dpr", (int folder, const char *path, struct dirent ***entries, CHOICE),
              (folder, path, entries, choose, compare), folder, PUT_SIGNED(folder) PUT_PATH(path) PUT_RESULT());
ALIAS(scandirat64, scandirat);
