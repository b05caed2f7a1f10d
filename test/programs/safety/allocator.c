/*
 * A memory allocator that calls all that a recorder stands in front of: from inside malloc and free, at the start, in
 * threads and at the end. Functions that allocate nothing are called with its lock held: whoever allocates then, in a
 * function of theirs, would wait for ever, and is told so. The others are called in front of it. With -DONLY_ALLOCATOR it is
 * a library for other programs.
 */
#include "calls.h"
#include <dirent.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <pty.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <utime.h>
#include <wchar.h>

#define USE(call) ((void)!(call))
/* Rounds of calls at the start; then each thread makes one, as long as there are few, and all that is at the end. */
#define FIRST_ROUNDS 4
#define MOST_ROUNDS 40

enum { SERVES, CALLS_BEFORE, HOLDS_LOCK };
static __thread int state;
static __thread int had_round;
static volatile int lock;
static volatile int rounds, is_ending, is_over;

extern char **environ;

/* ---- what _FORTIFY_SOURCE and other releases make of calls ---- */

ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __recv_chk(int, void *, size_t, size_t, int);
ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, struct sockaddr *, socklen_t *);
ssize_t __pread_chk(int, void *, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void *, size_t, off_t, size_t);
ssize_t __readlink_chk(const char *, char *, size_t, size_t);
ssize_t __readlinkat_chk(int, const char *, char *, size_t, size_t);
char *__realpath_chk(const char *, char *, size_t);
int __open_2(const char *, int);
int __open64_2(const char *, int);
int __openat_2(int, const char *, int);
int __openat64_2(int, const char *, int);
int __xstat(int, const char *, struct stat *);
int __lxstat(int, const char *, struct stat *);
int __fxstat(int, int, struct stat *);
int __fxstatat(int, int, const char *, struct stat *, int);
int __xstat64(int, const char *, struct stat64 *);
int __lxstat64(int, const char *, struct stat64 *);
int __fxstat64(int, int, struct stat64 *);
int __fxstatat64(int, int, const char *, struct stat64 *, int);
int __dprintf_chk(int, int, const char *, ...);
int __vdprintf_chk(int, int, const char *, va_list);
int __fprintf_chk(FILE *, int, const char *, ...);
int __vfprintf_chk(FILE *, int, const char *, va_list);
int __printf_chk(int, const char *, ...);
int __vprintf_chk(int, const char *, va_list);
char *__fgets_chk(char *, size_t, int, FILE *);
char *__fgets_unlocked_chk(char *, size_t, int, FILE *);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
size_t __fread_unlocked_chk(void *, size_t, size_t, size_t, FILE *);
wchar_t *__fgetws_chk(wchar_t *, size_t, int, FILE *);
ssize_t __getdelim(char **, size_t *, int, FILE *);
int _IO_getc(FILE *);
int _IO_putc(int, FILE *);
int __isoc99_fscanf(FILE *, const char *, ...);
int __isoc99_scanf(const char *, ...);
int __isoc99_vfscanf(FILE *, const char *, va_list);
int __isoc99_vscanf(const char *, va_list);
int __uflow(FILE *);
int __overflow(FILE *, int);
int old_fscanf(FILE *, const char *, ...) __asm__("fscanf");
int old_scanf(const char *, ...) __asm__("scanf");
int old_vfscanf(FILE *, const char *, va_list) __asm__("vfscanf");
int old_vscanf(const char *, va_list) __asm__("vscanf");

/* ---- with the lock held ---- */

static void close_it(int fd)
{
    if (fd >= 0)
        close(fd);
}

static void open_and_close(void)
{
    const char *name = "scratch";
    close_it(open(name, O_CREAT | O_RDWR | O_TRUNC, 0600));
    close_it(open64(name, O_RDWR));
    close_it(openat(AT_FDCWD, name, O_RDWR));
    close_it(openat64(AT_FDCWD, name, O_RDWR));
    close_it(__open_2(name, O_RDWR));
    close_it(__open64_2(name, O_RDWR));
    close_it(__openat_2(AT_FDCWD, name, O_RDWR));
    close_it(__openat64_2(AT_FDCWD, name, O_RDWR));
    close_it(creat(name, 0600));
    close_it(creat64(name, 0600));
    char patterns[8][24];
    for (int i = 0; i < 8; i++)
        strcpy(patterns[i], i < 4 ? "made-XXXXXX" : "made-XXXXXX.c");
    close_it(mkstemp(patterns[0]));
    close_it(mkstemp64(patterns[1]));
    close_it(mkostemp(patterns[2], O_CLOEXEC));
    close_it(mkostemp64(patterns[3], O_CLOEXEC));
    close_it(mkstemps(patterns[4], 2));
    close_it(mkstemps64(patterns[5], 2));
    close_it(mkostemps(patterns[6], 2, O_CLOEXEC));
    close_it(mkostemps64(patterns[7], 2, O_CLOEXEC));
    for (int i = 0; i < 8; i++)
        unlink(patterns[i]);
    strcpy(patterns[0], "made-XXXXXX");
    if (mkdtemp(patterns[0]) != NULL)
        rmdir(patterns[0]);
    int fd = open(name, O_RDONLY);
    close_it(dup(fd));
    close_it(dup2(fd, 700));
    close_it(dup3(fd, 701, O_CLOEXEC));
    close_it(fcntl(fd, F_DUPFD, 10));
    USE(fcntl64(fd, F_GETFD));
    close_range(fd, fd, 0);
    dup2(out, 70000);
    closefrom(60000);
}

static void transfer(int fd, int folder)
{
    char bytes[64] = "bytes";
    struct iovec parts[] = {{bytes, 10}, {bytes + 10, 20}};
    USE(pwrite(fd, bytes, 60, 0));
    USE(pwrite64(fd, bytes, 60, 60));
    USE(writev(fd, parts, 2));
    USE(pwritev(fd, parts, 2, 0));
    USE(pwritev64(fd, parts, 2, 0));
    USE(pwritev2(fd, parts, 2, 0, 0));
    USE(pwritev64v2(fd, parts, 2, 0, 0));
    lseek(fd, 0, SEEK_SET);
    USE(read(fd, bytes, 3));
    USE(__read_chk(fd, bytes, 3, sizeof bytes));
    USE(pread(fd, bytes, 3, 0));
    USE(pread64(fd, bytes, 3, 0));
    USE(__pread_chk(fd, bytes, 3, 0, sizeof bytes));
    USE(__pread64_chk(fd, bytes, 3, 0, sizeof bytes));
    USE(readv(fd, parts, 2));
    USE(preadv(fd, parts, 2, 0));
    USE(preadv64(fd, parts, 2, 0));
    USE(preadv2(fd, parts, 2, 0, 0));
    USE(preadv64v2(fd, parts, 2, 0, 0));
    off_t from = 0, to = 200;
    struct msghdr message = {0};
    USE(send(fd, bytes, 1, 0));
    USE(sendto(fd, bytes, 1, 0, NULL, 0));
    USE(sendmsg(fd, &message, 0));
    USE(recv(fd, bytes, 1, 0));
    USE(__recv_chk(fd, bytes, 1, sizeof bytes, 0));
    USE(recvfrom(fd, bytes, 1, 0, NULL, NULL));
    USE(__recvfrom_chk(fd, bytes, 1, sizeof bytes, 0, NULL, NULL));
    USE(recvmsg(fd, &message, 0));
    USE(sendfile(fd, fd, &from, 5));
    USE(sendfile64(fd, fd, &from, 5));
    USE(copy_file_range(fd, &from, fd, &to, 5, 0));
    int ends[2], others[2];
    if (pipe(ends) == 0 && pipe(others) == 0) {
        from = 0;
        USE(splice(fd, &from, ends[1], NULL, 5, 0));
        USE(tee(ends[0], others[1], 5, 0));
        for (int i = 0; i < 2; i++) {
            close(ends[i]);
            close(others[i]);
        }
    }
    char entries[1024];
    USE(getdents64(folder, entries, sizeof entries));
}

static void sizes(int fd)
{
    lseek64(fd, 0, SEEK_SET);
    fsync(fd);
    fdatasync(fd);
    syncfs(-1);
    USE(sync_file_range(fd, 0, 10, 0));
    USE(ftruncate(fd, 300));
    USE(ftruncate64(fd, 300));
    USE(truncate("file", 300));
    USE(truncate64("file", 300));
    USE(fallocate(fd, 0, 0, 100));
    USE(fallocate64(fd, 0, 0, 100));
    posix_fallocate(fd, 0, 100);
    posix_fallocate64(fd, 0, 100);
    posix_fadvise(fd, 0, 100, POSIX_FADV_NORMAL);
    posix_fadvise64(fd, 0, 100, POSIX_FADV_NORMAL);
    USE(readahead(fd, 0, 100));
    flock(fd, LOCK_SH | LOCK_NB);
    flock(fd, LOCK_UN);
    USE(lockf(fd, F_TLOCK, 1));
    USE(lockf64(fd, F_ULOCK, 1));
    void *memory = mmap(NULL, 100, PROT_READ, MAP_SHARED, fd, 0);
    msync(memory, 100, MS_ASYNC);
    munmap(memory, 100);
    munmap(mmap64(NULL, 100, PROT_READ, MAP_SHARED, fd, 0), 100);
}

static void status(int fd)
{
    struct stat one;
    struct stat64 wide;
    struct statx extended;
    struct statfs system;
    struct statfs64 wide_system;
    struct statvfs other;
    struct statvfs64 wide_other;
    stat("file", &one);
    stat64("file", &wide);
    lstat("file", &one);
    lstat64("file", &wide);
    fstat(fd, &one);
    fstat64(fd, &wide);
    fstatat(AT_FDCWD, "file", &one, 0);
    fstatat64(AT_FDCWD, "file", &wide, 0);
    __xstat(1, "file", &one);
    __xstat64(1, "file", &wide);
    __lxstat(1, "file", &one);
    __lxstat64(1, "file", &wide);
    __fxstat(1, fd, &one);
    __fxstat64(1, fd, &wide);
    __fxstatat(1, AT_FDCWD, "file", &one, 0);
    __fxstatat64(1, AT_FDCWD, "file", &wide, 0);
    statx(AT_FDCWD, "file", 0, STATX_SIZE, &extended);
    statfs("/", &system);
    statfs64("/", &wide_system);
    fstatfs(fd, &system);
    fstatfs64(fd, &wide_system);
    statvfs("/", &other);
    statvfs64("/", &wide_other);
    fstatvfs(fd, &other);
    fstatvfs64(fd, &wide_other);
    USE(access("file", R_OK));
    USE(eaccess("file", R_OK));
    USE(euidaccess("file", R_OK));
    USE(faccessat(AT_FDCWD, "file", R_OK, 0));
    char path[4096];
    USE(readlink("/proc/self/exe", path, sizeof path));
    USE(__readlink_chk("/proc/self/exe", path, sizeof path, sizeof path));
    USE(readlinkat(AT_FDCWD, "/proc/self/exe", path, sizeof path));
    USE(__readlinkat_chk(AT_FDCWD, "/proc/self/exe", path, sizeof path, sizeof path));
}

static void names(int fd, int folder)
{
    USE(link("file", "a"));
    USE(linkat(AT_FDCWD, "file", AT_FDCWD, "b", 0));
    USE(symlink("file", "c"));
    USE(symlinkat("file", AT_FDCWD, "d"));
    USE(rename("a", "e"));
    USE(renameat(AT_FDCWD, "b", AT_FDCWD, "f"));
    USE(renameat2(AT_FDCWD, "c", AT_FDCWD, "g", RENAME_NOREPLACE));
    USE(mkdir("h", 0700));
    USE(mkdirat(AT_FDCWD, "i", 0700));
    USE(mkfifo("j", 0600));
    USE(mkfifoat(AT_FDCWD, "k", 0600));
    USE(mknod("l", S_IFREG | 0600, 0));
    USE(mknodat(AT_FDCWD, "m", S_IFREG | 0600, 0));
    USE(unlink("e"));
    USE(unlink("f"));
    USE(unlink("g"));
    USE(unlinkat(AT_FDCWD, "d", 0));
    USE(rmdir("h"));
    USE(remove("i"));
    for (const char *name = "j\0k\0l\0m\0"; *name != 0; name += 2)
        unlink(name);
    USE(chdir("."));
    USE(fchdir(folder));
    USE(chmod("file", 0600));
    USE(fchmod(fd, 0600));
    USE(fchmodat(AT_FDCWD, "file", 0600, 0));
    USE(chown("file", -1, -1));
    USE(lchown("file", -1, -1));
    USE(fchown(fd, -1, -1));
    USE(fchownat(AT_FDCWD, "file", -1, -1, 0));
    utime("file", NULL);
    utimes("file", NULL);
    lutimes("file", NULL);
    futimes(fd, NULL);
    futimens(fd, NULL);
    futimesat(AT_FDCWD, "file", NULL);
    utimensat(AT_FDCWD, "file", NULL, 0);
}

static void rights(void)
{
    prctl(PR_GET_DUMPABLE);
    syscall(SYS_getppid);
    syscall(SYS_lseek, -1, 0, SEEK_CUR);
    USE(chroot("/nowhere"));
    // What cannot be: nothing changes.
    USE(setuid(-1));
    USE(seteuid(-1));
    USE(setreuid(-1, -1));
    USE(setresuid(-1, -1, -1));
    kill(getpid(), 0);
    raise(SIGURG);
}

/* ---- what allocates: streams ---- */

static void formatted_stream(FILE *to, ...)
{
    va_list list;
    va_start(list, to);
    vfprintf(to, "1 2 3 4 5 6 7 8 ", list);
    __vfprintf_chk(to, 1, "9", list);
    va_end(list);
    fprintf(to, " %d", 10);
    __fprintf_chk(to, 1, " %d", 11);
}

static void scanned_stream(FILE *from, ...)
{
    va_list list;
    va_start(list, from);
    rewind(from);
    USE(vfscanf(from, "1", list));
    USE(__isoc99_vfscanf(from, " 2", list));
    USE(old_vfscanf(from, " 3", list));
    va_end(list);
    int number;
    USE(fscanf(from, "%d", &number));
    USE(__isoc99_fscanf(from, "%d", &number));
    USE(old_fscanf(from, "%d", &number));
}

static void use_stream(FILE *stream)
{
    char text[16];
    rewind(stream);
    formatted_stream(stream);
    fputs("text\n", stream);
    fputs_unlocked("text\n", stream);
    fputc('a', stream);
    fputc_unlocked('a', stream);
    (putc)('a', stream);
    (putc_unlocked)('a', stream);
    _IO_putc('a', stream);
    __overflow(stream, 'a');
    fwrite("abc", 1, 3, stream);
    fwrite_unlocked("abc", 1, 3, stream);
    fflush(stream);
    fflush_unlocked(stream);
    scanned_stream(stream);
    rewind(stream);
    fgetc(stream);
    fgetc_unlocked(stream);
    (getc)(stream);
    (getc_unlocked)(stream);
    _IO_getc(stream);
    __uflow(stream);
    USE(fgets(text, 3, stream));
    USE(fgets_unlocked(text, 3, stream));
    USE(__fgets_chk(text, sizeof text, 3, stream));
    USE(__fgets_unlocked_chk(text, sizeof text, 3, stream));
    USE(fread(text, 1, 2, stream));
    USE(fread_unlocked(text, 1, 2, stream));
    USE(__fread_chk(text, sizeof text, 1, 2, stream));
    USE(__fread_unlocked_chk(text, sizeof text, 1, 2, stream));
    fpos_t position;
    fpos64_t wide_position;
    fseek(stream, ftell(stream), SEEK_SET);
    fseeko(stream, ftello(stream), SEEK_SET);
    fseeko64(stream, ftello64(stream), SEEK_SET);
    fgetpos(stream, &position);
    fsetpos(stream, &position);
    fgetpos64(stream, &wide_position);
    fsetpos64(stream, &wide_position);
}

static void print_list(int none, ...)
{
    va_list list;
    va_start(list, none);
    vprintf("a", list);
    __vprintf_chk(1, "b", list);
    USE(vscanf("x", list));
    USE(__isoc99_vscanf("x", list));
    USE(old_vscanf("x", list));
    va_end(list);
}

/* Standard output goes nowhere meanwhile, and standard input has nothing. */
static void use_standard_streams(void)
{
    int number;
    printf("%d", 1);
    __printf_chk(1, "%d", 2);
    puts("c");
    putchar('d');
    (putchar_unlocked)('e');
    print_list(0);
    getchar();
    (getchar_unlocked)();
    USE(scanf("%d", &number));
    USE(__isoc99_scanf("%d", &number));
    USE(old_scanf("%d", &number));
    // Of no effect: the two are for bytes by now.
    getwchar();
    putwchar(L'a');
}

static void use_wide_stream(FILE *wide)
{
    wchar_t text[16];
    fputwc(L'a', wide);
    fputwc_unlocked(L'a', wide);
    (putwc)(L'a', wide);
    (putwc_unlocked)(L'a', wide);
    fputws(L"abcdefghijklmnopqrstuvwxyz\n", wide);
    fputws_unlocked(L"text\n", wide);
    rewind(wide);
    fgetwc(wide);
    fgetwc_unlocked(wide);
    (getwc)(wide);
    (getwc_unlocked)(wide);
    USE(fgetws(text, 3, wide));
    USE(fgetws_unlocked(text, 3, wide));
    USE(__fgetws_chk(text, 16, 3, wide));
}

static void formatted(int fd, ...)
{
    va_list list;
    va_start(list, fd);
    vdprintf(fd, "text", list);
    __vdprintf_chk(fd, 1, "text", list);
    va_end(list);
    dprintf(fd, "number %d", 1);
    __dprintf_chk(fd, 1, "number %d", 1);
}

/* ---- what else allocates ---- */

static int no_entry(const struct dirent *entry)
{
    (void)entry;
    return 0;
}

static int no_entry64(const struct dirent64 *entry)
{
    (void)entry;
    return 0;
}

static int visit(const char *path, const struct stat *status, int kind)
{
    return path == NULL || status == NULL || kind < 0;
}

static int visit64(const char *path, const struct stat64 *status, int kind)
{
    return path == NULL || status == NULL || kind < 0;
}

static int visit_there(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    return visit(path, status, kind) || place == NULL;
}

static int visit_there64(const char *path, const struct stat64 *status, int kind, struct FTW *place)
{
    return visit64(path, status, kind) || place == NULL;
}

static void walk(void)
{
    char *paths[] = {"lines", NULL};
    glob_t found;
    glob64_t found64;
    USE(ftw("lines", visit, 3));
    USE(ftw64("lines", visit64, 3));
    USE(nftw("lines", visit_there, 3, 0));
    USE(nftw64("lines", visit_there64, 3, 0));
    FTS *tree = fts_open(paths, FTS_PHYSICAL, NULL);
    USE(fts_children(tree, 0));
    USE(fts_read(tree));
    fts_close(tree);
    FTS64 *tree64 = fts64_open(paths, FTS_PHYSICAL, NULL);
    USE(fts64_children(tree64, 0));
    USE(fts64_read(tree64));
    fts64_close(tree64);
    if (glob("line*", 0, NULL, &found) == 0)
        globfree(&found);
    if (glob64("line*", 0, NULL, &found64) == 0)
        globfree64(&found64);
}

static void allocate_elsewhere(void)
{
    char *line = NULL, path[4096];
    size_t size = 0;
    FILE *file = fopen("lines", "w+");
    setvbuf(file, NULL, _IOFBF, 1000);
    fputs("one\ntwo\nthree\n", file);
    rewind(file);
    USE(getline(&line, &size, file));
    USE(getdelim(&line, &size, '\n', file));
    USE(__getdelim(&line, &size, '\n', file));
    use_stream(file);
    file = freopen("lines", "w+", file);
    setbuf(file, NULL);
    setbuffer(file, NULL, 0);
    setlinebuf(file);
    file = freopen64("lines", "w+", file);
    use_wide_stream(file);
    fclose(file);
    fclose(fopen64("lines", "w"));
    fclose(tmpfile());
    fclose(tmpfile64());
    fclose(fdopen(open("lines", O_RDONLY), "r"));
    DIR *folder = opendir("/");
    readdir(folder);
    readdir64(folder);
    closedir(folder);
    closedir(fdopendir(open("/", O_RDONLY | O_DIRECTORY)));
    struct dirent **entries;
    struct dirent64 **wide_entries;
    scandir("/", &entries, no_entry, NULL);
    scandir64("/", &wide_entries, no_entry64, NULL);
    scandirat(AT_FDCWD, "/", &entries, no_entry, NULL);
    scandirat64(AT_FDCWD, "/", &wide_entries, no_entry64, NULL);
    walk();
    USE(realpath("/proc/self/cwd", path));
    USE(__realpath_chk("/proc/self/cwd", path, sizeof path));
    USE(canonicalize_file_name("/proc/self/cwd"));
}

/* ---- processes: once at the start, and once at the end ---- */

static void wait_for(pid_t child)
{
    int ended;
    while (child > 0 && waitpid(child, &ended, 0) < 0 && errno == EINTR)
        continue;
}

static int child_of_clone(void *nothing)
{
    (void)nothing;
    return 0;
}

static void make_processes(void)
{
    static char stack[65536] __attribute__((aligned(16)));
    static char *const words[] = {"true", NULL};
    int terminal;
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    wait_for(child);
    child = _Fork();
    if (child == 0)
        _Exit(0);
    wait_for(child);
    child = vfork();
    if (child == 0)
        _exit(0);
    wait_for(child);
    wait_for(clone(child_of_clone, stack + sizeof stack, SIGCHLD, NULL));
    child = forkpty(&terminal, NULL, NULL, NULL);
    if (child == 0)
        _exit(0);
    if (child > 0)
        close(terminal);
    wait_for(child);
#ifndef ONLY_ALLOCATOR
    // These would have the library, and make programs in turn, without end.
    if (posix_spawn(&child, "/bin/true", NULL, NULL, words, environ) == 0)
        wait_for(child);
    if (posix_spawnp(&child, "true", NULL, NULL, words, environ) == 0)
        wait_for(child);
    pclose(popen(":", "r"));
#endif
    USE(execl("/nowhere/at-all", "a", NULL));
    USE(execle("/nowhere/at-all", "a", NULL, environ));
    USE(execlp("/nowhere/at-all", "a", NULL));
    USE(execv("/nowhere/at-all", words));
    USE(execve("/nowhere/at-all", words, environ));
    USE(execvp("/nowhere/at-all", words));
    USE(execvpe("/nowhere/at-all", words, environ));
    USE(execveat(-1, "/nowhere/at-all", words, environ, 0));
    USE(fexecve(-1, words, environ));
}

/* ---- rounds ---- */

static void complain(const char *text)
{
    syscall(SYS_write, 2, text, strlen(text));
    syscall(SYS_exit_group, 95);
}

/* Whether this malloc or free is one that makes calls. */
static int has_round(void)
{
    int has_enough = rounds >= FIRST_ROUNDS && (had_round || rounds >= MOST_ROUNDS);
    if (is_over || (has_enough && !is_ending))
        return 0;
    had_round = 1;
    return 1;
}

static void calls_before_lock(int round)
{
    int input = dup(0), output = dup(1), nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, 0);
    dup2(nowhere, 1);
    allocate_elsewhere();
    formatted(nowhere);
    use_standard_streams();
    if (round == 1 || is_ending)
        make_processes();
    fflush(stdout);
    dup2(input, 0);
    dup2(output, 1);
    close(nowhere);
    close(output);
    close(input);
}

static void calls_with_lock(void)
{
    int fd = open("file", O_CREAT | O_RDWR | O_TRUNC, 0600), folder = open(".", O_RDONLY | O_DIRECTORY);
    put(5);
    open_and_close();
    transfer(fd, folder);
    sizes(fd);
    status(fd);
    names(fd, folder);
    rights();
    close(folder);
    close(fd);
}

/* ---- the allocator ---- */

#define POOL ((size_t)256 << 20)
static char pool[POOL] __attribute__((aligned(4096)));
static size_t used;

/* Its size stands in front of what is given. */
static void *serve(size_t alignment, size_t size)
{
    if (alignment < 16)
        alignment = 16;
    size_t space = size + 16 + alignment;
    size_t at = __atomic_fetch_add(&used, (space + 15) & ~(size_t)15, __ATOMIC_RELAXED);
    if (size > POOL || at + space > POOL)
        return NULL;
    char *given = (char *)(((uintptr_t)pool + at + 16 + alignment - 1) & ~(uintptr_t)(alignment - 1));
    ((size_t *)given)[-1] = size;
    return given;
}

/* Around whatever the allocator is asked. */
static void make_calls(void)
{
    int error = errno;
    if (state == HOLDS_LOCK)
        complain("the allocator was called by a function that allocates nothing, with its lock held\n");
    if (state == SERVES && has_round()) {
        while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0)
            sched_yield();
        int round = ++rounds;
        if (round == 1)
            begin();
        state = CALLS_BEFORE;
        calls_before_lock(round);
        state = HOLDS_LOCK;
        calls_with_lock();
        state = SERVES;
        __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    }
    errno = error;
}

void *malloc(size_t size)
{
    make_calls();
    return serve(16, size);
}

void *calloc(size_t count, size_t size)
{
    make_calls();
    if (size != 0 && count > POOL / size)
        return NULL;
    return serve(16, count * size);
}

void *realloc(void *old, size_t size)
{
    make_calls();
    void *new = serve(16, size);
    if (old != NULL && new != NULL) {
        size_t before = ((size_t *)old)[-1];
        memcpy(new, old, before < size ? before : size);
    }
    return new;
}

void *memalign(size_t alignment, size_t size)
{
    make_calls();
    return serve(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
    *result = memalign(alignment, size);
    return *result == NULL ? ENOMEM : 0;
}

void free(void *memory)
{
    make_calls();
    (void)memory;
}

__attribute__((destructor)) static void end(void)
{
    is_ending = 1;
    void *volatile memory = malloc(10);
    free(memory);
    is_over = 1;
    tell_made();
}

#ifndef ONLY_ALLOCATOR
static void *in_thread(void *nothing)
{
    void *volatile memory = malloc(100);
    free(memory);
    return nothing;
}

int main(void)
{
    for (int i = 0; i < 10; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, in_thread, NULL) != 0 || pthread_join(thread, NULL) != 0)
            return 91;
    }
    printf("done\n");
    return 3;
}
#endif
