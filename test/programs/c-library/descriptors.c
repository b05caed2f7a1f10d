/* Opening, closing, copying descriptors, fcntl, locks. */
#define _GNU_SOURCE
#include "report.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);
int fcntl64(int fd, int command, ...);

static char read_here[4096];

static void opens(void)
{
    SHOW(open("made", O_CREAT | O_RDWR | O_TRUNC, 0640));
    struct stat status;
    fstat(3, &status);
    report("    mode %o\n", status.st_mode);
    SHOW(open("made", O_CREAT | O_EXCL | O_RDWR, 0600));
    SHOW(open("missing", O_RDONLY));
    SHOW(open(NULL, O_RDONLY));
    SHOW(open((const char *)8, O_RDONLY));
    SHOW(open("made/below", O_RDONLY));
    SHOW(open("", O_RDONLY));
    SHOW(open(".", O_WRONLY));
    SHOW(open(".", O_TMPFILE | O_RDWR, 0600));
    SHOW(open64("made", O_RDONLY | O_CLOEXEC));
    SHOW(fcntl(5, F_GETFD));
    SHOW(openat(AT_FDCWD, "made", O_WRONLY | O_APPEND));
    SHOW(openat64(77, "made", O_RDONLY));
    SHOW(openat(77, "/dev/null", O_RDONLY));
    SHOW(open(".", O_PATH | O_DIRECTORY));
    SHOW(openat(8, "made", O_RDONLY));
    SHOW(openat(8, "other", O_CREAT | O_WRONLY, 0600));
    SHOW(__open_2("made", O_RDONLY));
    SHOW(__open64_2("missing", O_RDONLY));
    SHOW(__openat_2(8, "made", O_RDONLY));
    SHOW(__openat64_2(8, "missing", O_RDONLY));
    SHOW(creat("created", 0600));
    SHOW(creat64("created/below", 0600));
    for (int fd = 4; fd < 15; fd++) SHOW(close(fd));
}

static void copies(void)
{
    SHOW(write(3, "0123456789", 10));
    SHOW(dup(3));
    SHOW(dup(99));
    SHOW(dup2(3, 20));
    SHOW(dup2(3, 3));
    SHOW(dup2(99, 20));
    SHOW(dup3(3, 21, O_CLOEXEC));
    SHOW(dup3(3, 3, 0));
    SHOW(fcntl(3, F_DUPFD, 30));
    SHOW(fcntl(3, F_DUPFD_CLOEXEC, 30));
    SHOW(fcntl(30, F_GETFD));
    SHOW(fcntl(31, F_GETFD));
    SHOW(fcntl(31, F_SETFD, 0));
    SHOW(fcntl64(31, F_GETFD));
    SHOW(fcntl(3, F_SETFL, O_APPEND));
    SHOW(fcntl(3, F_GETFL) & O_APPEND);
    SHOW(fcntl(99, F_GETFL));
    SHOW(fcntl(3, 12345, 0));
    SHOW(lseek(20, 3, SEEK_SET));
    SHOW(lseek(4, 0, SEEK_CUR));
    SHOW(close(99));
    SHOW(close(-1));
}

static void locks(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 2, .l_len = 4};
    SHOW(fcntl(3, F_SETLK, &lock));
    SHOW(fcntl(3, F_GETLK, &lock));
    report("    type %d\n", lock.l_type);
    lock.l_type = F_RDLCK;
    SHOW(fcntl(3, F_OFD_SETLK, &lock));
    lock.l_pid = 0;
    SHOW(fcntl(3, F_OFD_GETLK, &lock));
    SHOW(fcntl(3, F_SETLK, NULL));
    SHOW(flock(3, LOCK_EX));
    SHOW(flock(3, LOCK_UN));
    SHOW(flock(99, LOCK_EX));
    SECTION("lockf");
    SHOW(lockf(3, F_LOCK, 5));
    SHOW(lockf64(3, F_TEST, 5));
    SHOW(lockf(3, F_ULOCK, -5));
    SHOW(lockf(99, F_LOCK, 5));
    SECTION("");
}

static int mode_of(const char *path)
{
    struct stat status;
    return stat(path, &status) < 0 ? -1 : (int)(status.st_mode & 07777);
}

static void temporary(void)
{
    char pattern[] = "t.XXXXXX", with_suffix[] = "t.XXXXXX.tmp", folder[] = "d.XXXXXX", wrong[] = "t.XXX";
    SECTION("temporary");
    SHOW(mkstemp(pattern));
    report("    mode %o\n", (unsigned)mode_of(pattern));
    strcpy(pattern, "t.XXXXXX");
    SHOW(mkstemp64(pattern));
    strcpy(pattern, "t.XXXXXX");
    SHOW(mkostemp(pattern, O_CLOEXEC));
    strcpy(pattern, "t.XXXXXX");
    SHOW(mkostemp64(pattern, O_APPEND));
    SHOW(mkstemps(with_suffix, 4));
    strcpy(with_suffix, "t.XXXXXX.tmp");
    SHOW(mkstemps64(with_suffix, 4));
    strcpy(with_suffix, "t.XXXXXX.tmp");
    SHOW(mkostemps(with_suffix, 4, 0));
    strcpy(with_suffix, "t.XXXXXX.tmp");
    SHOW(mkostemps64(with_suffix, 4, 0));
    SHOW(mkstemp(wrong));
    SHOW_IF(mkdtemp(folder));
    SHOW_IF(mkdtemp(wrong));
    SECTION("");
}

int main(void)
{
    opens();
    copies();
    locks();
    temporary();
    SHOW(close_range(30, 31, 0));
    SHOW(close_range(5, 4, 0));
    SHOW(fcntl(30, F_GETFD));
    closefrom(4);
    SHOW(fcntl(20, F_GETFD));
    SHOW(close(3));
    // Numbers that live again: without the C library, and standard input's.
    // By the function that makes any call of the kernel.
    SHOW(open("made", O_RDONLY));
    SHOW(syscall(SYS_close, 3));
    SHOW(syscall(SYS_open, "other", O_RDWR));
    SHOW(write(3, "x", 1));
    SHOW(syscall(SYS_write, 3, "more", 4));
    SHOW(syscall(SYS_pwrite64, 3, "y", 1, 7));
    SHOW(syscall(SYS_lseek, 3, 0, SEEK_SET));
    SHOW(syscall(SYS_read, 3, read_here, 3));
    SHOW(syscall(SYS_pread64, 3, read_here, sizeof read_here, 2));
    SHOW(syscall(SYS_ftruncate, 3, 5));
    SHOW(syscall(SYS_fsync, 3));
    SHOW(syscall(SYS_fdatasync, 3));
    SHOW(syscall(SYS_write, -1, "more", 4));
    SHOW(close(3));
    SHOW(syscall(SYS_openat, AT_FDCWD, ".", O_RDONLY | O_DIRECTORY));
    SHOW_IF(syscall(SYS_getdents64, 3, read_here, sizeof read_here));
    SHOW(syscall(SYS_close, 3));
    SHOW(syscall(SYS_openat, AT_FDCWD, NULL, O_RDONLY));
    SHOW_IF(syscall(SYS_gettid));
    SHOW(close(0));
    SHOW(open("made", O_RDONLY));
    SHOW(close(0));
    return report_end();
}
