/* What is asked about files, their names, rights, times, and folders. */
#define _GNU_SOURCE
#include "report.h"
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/vfs.h>
#include <utime.h>

int __xstat(int version, const char *path, struct stat *status);
int __xstat64(int version, const char *path, struct stat64 *status);
int __lxstat(int version, const char *path, struct stat *status);
int __lxstat64(int version, const char *path, struct stat64 *status);
int __fxstat(int version, int fd, struct stat *status);
int __fxstat64(int version, int fd, struct stat64 *status);
int __fxstatat(int version, int folder, const char *path, struct stat *status, int flags);
int __fxstatat64(int version, int folder, const char *path, struct stat64 *status, int flags);
ssize_t __readlink_chk(const char *path, char *target, size_t size, size_t room);
ssize_t __readlinkat_chk(int folder, const char *path, char *target, size_t size, size_t room);
char *__realpath_chk(const char *path, char *resolved, size_t room);
#ifdef __x86_64__
#define VERSION 1
#else
#define VERSION 0
#endif

static struct stat status;
static struct stat64 status64;

#define SHOW_SIZE(call) SHOW(call); report("    %ld bytes, mode %o\n", (long)status.st_size, (unsigned)status.st_mode)
#define SHOW_SIZE_64(call) SHOW(call); report("    %ld bytes\n", (long)status64.st_size)

static void asks(void)
{
    SHOW_SIZE(stat("file", &status));
    SHOW(stat("missing", &status));
    SHOW(stat(NULL, &status));
    SHOW(stat("file", (struct stat *)8));
    SHOW_SIZE(lstat("link", &status));
    SHOW_SIZE(stat("link", &status));
    SHOW_SIZE(fstat(3, &status));
    SHOW(fstat(99, &status));
    SHOW_SIZE(fstatat(4, "file", &status, AT_SYMLINK_NOFOLLOW));
    SHOW_SIZE(fstatat(3, "", &status, AT_EMPTY_PATH));
    SHOW_SIZE_64(stat64("file", &status64));
    SHOW_SIZE_64(lstat64("link", &status64));
    SHOW_SIZE_64(fstat64(3, &status64));
    SHOW_SIZE_64(fstatat64(AT_FDCWD, "folder", &status64, 0));
    SHOW_SIZE(__xstat(VERSION, "file", &status));
    SHOW_SIZE_64(__xstat64(VERSION, "missing", &status64));
    SHOW_SIZE(__lxstat(VERSION, "link", &status));
    SHOW_SIZE_64(__lxstat64(VERSION, "link", &status64));
    SHOW_SIZE(__fxstat(VERSION, 3, &status));
    SHOW_SIZE_64(__fxstat64(VERSION, 99, &status64));
    SHOW_SIZE(__fxstatat(VERSION, 4, "file", &status, 0));
    SHOW_SIZE_64(__fxstatat64(VERSION, 4, "file", &status64, 0));
    struct statx more;
    SHOW(statx(4, "file", 0, STATX_SIZE | STATX_MODE, &more));
    report("    %ld bytes\n", (long)more.stx_size);
    SHOW(statx(AT_FDCWD, "missing", 0, STATX_SIZE, &more));
    struct statfs system;
    struct statfs64 system64;
    SHOW(statfs(".", &system));
    SHOW(statfs64("missing", &system64));
    SHOW(fstatfs(3, &system));
    SHOW(fstatfs64(99, &system64));
    SECTION("statvfs");
    struct statvfs space;
    struct statvfs64 space64;
    SHOW(statvfs(".", &space));
    SHOW(statvfs64("missing", &space64));
    SHOW(fstatvfs(3, &space));
    SHOW(fstatvfs64(99, &space64));
    SECTION("");
}

static void rights(void)
{
    SHOW(access("file", R_OK));
    SHOW(access("missing", F_OK));
    SHOW(access("file", 77));
    SHOW(faccessat(4, "file", W_OK, 0));
    SHOW(faccessat(4, "missing", W_OK, AT_EACCESS));
    SECTION("eaccess");
    SHOW(eaccess("file", R_OK));
    SHOW(euidaccess("missing", R_OK));
    SECTION("");
    SHOW(chmod("file", 0600));
    SHOW(fchmod(3, 0640));
    SHOW(fchmodat(4, "file", 0644, 0));
    SHOW(chmod("missing", 0600));
    SHOW(chown("file", -1, -1));
    SHOW(lchown("link", -1, -1));
    SHOW(fchown(99, -1, -1));
    SHOW(fchownat(4, "missing", -1, -1, 0));
}

static void links(void)
{
    char target[PATH_MAX];
    SHOW(symlink("file", "link2"));
    SHOW(symlink("file", "link2"));
    SHOW(symlinkat("file", 4, "link3"));
    SHOW(link("file", "hard"));
    SHOW(link("missing", "hard2"));
    SHOW(linkat(4, "file", AT_FDCWD, "hard2", 0));
    SHOW(readlink("link2", target, sizeof target));
    SHOW_BYTES(target, 4);
    SHOW(readlink("file", target, sizeof target));
    SHOW(readlinkat(4, "link3", target, 2));
    SHOW(__readlink_chk("link2", target, 3, sizeof target));
    SHOW(__readlinkat_chk(4, "missing", target, 3, sizeof target));
    SECTION("realpath");
    SHOW_IF(realpath("folder/../link2", target));
    report("    %s\n", strrchr(target, '/'));
    SHOW_IF(realpath("missing", target));
    SHOW_IF(__realpath_chk("link2", target, sizeof target));
    char *found = canonicalize_file_name("link3");
    report("    %s\n", strrchr(found, '/'));
    free(found);
    SECTION("");
}

static void names(void)
{
    SHOW(rename("hard", "renamed"));
    SHOW(rename("missing", "renamed"));
    SHOW(renameat(4, "renamed", AT_FDCWD, "renamed2"));
    SHOW(renameat2(4, "renamed2", 4, "file", RENAME_NOREPLACE));
    SHOW(renameat2(4, "hard2", 4, "renamed2", RENAME_EXCHANGE));
    SHOW(unlink("renamed2"));
    SHOW(unlink("missing"));
    SHOW(unlink(NULL));
    SHOW(unlinkat(4, "hard2", 0));
    SHOW(mkdir("new", 0700));
    SHOW(mkdir("new", 0700));
    SHOW(mkdirat(4, "new2", 0700));
    SHOW(unlinkat(4, "new2", AT_REMOVEDIR));
    SHOW(rmdir("new"));
    SHOW(rmdir("folder"));
    SHOW(mkfifo("fifo", 0600));
    SHOW(mkfifoat(4, "fifo2", 0600));
    SHOW(mknod("fifo", S_IFIFO | 0600, 0));
    SHOW(mknodat(4, "fifo3", S_IFIFO | 0600, 0));
    SECTION("remove");
    SHOW(remove("fifo"));
    SHOW(remove("missing"));
    SHOW(mkdir("empty", 0700));
    SHOW(remove("empty"));
    SECTION("");
    SHOW(chdir("folder"));
    SHOW(access("inside", F_OK));
    SHOW(chdir("missing"));
    SHOW(fchdir(4));
    SHOW(fchdir(3));
}

static void times(void)
{
    struct timespec at[2] = {{1000, 5}, {2000, 7}};
    struct timeval rough[2] = {{1000, 5}, {2000, 7}};
    struct utimbuf old = {500, 600};
    SHOW(utimensat(4, "file", at, 0));
    stat("file", &status);
    report("    %ld.%09ld\n", (long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
    SHOW(utimensat(AT_FDCWD, "missing", NULL, 0));
    SHOW(futimens(3, at));
    SHOW(utimes("file", rough));
    SHOW(lutimes("link", rough));
    SHOW(futimes(99, rough));
    SHOW(futimesat(4, "file", rough));
    SHOW(utime("file", &old));
    stat("file", &status);
    report("    %ld\n", (long)status.st_mtime);
}

static int count(DIR *folder)
{
    int entries = 0;
    errno = 0;
    while (readdir(folder) != NULL) entries++;
    report("    %d entries, errno %d\n", entries, errno);
    return dirfd(folder);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int is_visible_64(const struct dirent64 *entry)
{
    return entry->d_name[0] != '.';
}

static void folders(void)
{
    char entries[1024];
    struct dirent **list;
    struct dirent64 **list64;
    SECTION("folders");
    DIR *folder = opendir("folder");
    SHOW(count(folder));
    rewinddir(folder);
    struct dirent64 *entry = readdir64(folder);
    SHOW_IF(entry);
    SHOW(closedir(folder));
    SHOW_IF(opendir("missing"));
    SHOW_IF(opendir("file"));
    folder = fdopendir(open("folder", O_RDONLY | O_DIRECTORY));
    SHOW(count(folder));
    SHOW(closedir(folder));
    SHOW_IF(fdopendir(99));
    SHOW(scandir("folder", &list, is_visible, alphasort));
    SHOW_BYTES(list[0]->d_name, strlen(list[0]->d_name));
    SHOW(scandir64("missing", &list64, is_visible_64, alphasort64));
    SHOW(scandirat(4, "folder", &list, is_visible, NULL));
    SHOW(scandirat64(99, "folder", &list64, is_visible_64, NULL));
    SECTION("");
    int fd = open("folder", O_RDONLY);
    SHOW_IF(getdents64(fd, entries, sizeof entries) > 0);
    SHOW(getdents64(fd, entries, sizeof entries));
    SHOW(getdents64(3, entries, sizeof entries));
    SHOW(close(fd));
}

int main(void)
{
    SHOW(mkdir("folder", 0755));
    SHOW(open("file", O_CREAT | O_RDWR, 0644));
    SHOW(write(3, "content", 7));
    SHOW(open(".", O_RDONLY | O_DIRECTORY));
    SHOW(symlink("file", "link"));
    SHOW(close(open("folder/inside", O_CREAT | O_WRONLY, 0600)));
    asks();
    rights();
    links();
    names();
    times();
    folders();
    SHOW(close(3));
    SHOW(close(4));
    return report_end();
}
