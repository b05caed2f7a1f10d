/*
 * What system calls cost on this machine without a tracer: a few hundred milliseconds of the very calls that findings are
 * about, in a folder of their own. "iolens record" compiles and runs it (src/record/calibrate.ts); docs/gain.md says what
 * the figures are for.
 *
 *   calibrate FOLDER      the folder must be empty; two files are made in it and removed
 *
 * Prints one line for each kind of call: name, bytes of a call, and the median and the quartiles of nanoseconds per call,
 * without the time in which another program had the processor.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SMALL = 64, LARGE = 1 << 16, FILE_BYTES = 4 << 20, MOST_BATCHES = 41 };
static const double BUDGET_NS = 25e6; /* for each kind of call */

static char data_path[4096], growing_path[4096], missing_path[4096];
static int data_fd, growing_fd;
static char buffer[LARGE];
static struct stat status;
static long position;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static int schedule_fd;

/* Nanoseconds that this program was ready to run and another had the processor (0 where the kernel does not count). */
static double waited(void) {
    char text[128];
    long long ran, waiting = 0;
    ssize_t length = pread(schedule_fd, text, sizeof text - 1, 0);
    if (length <= 0) return 0;
    text[length] = 0;
    return sscanf(text, "%lld %lld", &ran, &waiting) == 2 ? waiting : 0;
}

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static long do_call(void) { return syscall(SYS_getppid); }
static long do_seek(void) {
    position = (position + SMALL) % FILE_BYTES;
    return lseek(data_fd, position, SEEK_SET);
}
static long do_fstat(void) { return fstat(data_fd, &status); }
static long do_stat(void) { return stat(data_path, &status); }
static long do_access(void) { return access(data_path, F_OK); }
static long do_missing_stat(void) { return stat(missing_path, &status) == -1 && errno == ENOENT ? 0 : -1; }
static long do_missing_open(void) { return open(missing_path, O_RDONLY) == -1 && errno == ENOENT ? 0 : -1; }
static long do_open_close(void) {
    int fd = open(data_path, O_RDONLY);
    return fd < 0 ? -1 : close(fd);
}
/* A file that is written to closes more slowly: what is ahead of its end is given back. */
static long do_open_write_close(void) {
    int fd = open(data_path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    return fd < 0 || write(fd, buffer, SMALL) < 0 ? -1 : close(fd);
}
static long do_dup_close(void) {
    int fd = dup(data_fd);
    return fd < 0 ? -1 : close(fd);
}
static long do_read_small(void) {
    position = (position + SMALL) % (FILE_BYTES - SMALL);
    return pread(data_fd, buffer, SMALL, position);
}
static long do_read_large(void) {
    position = (position + LARGE) % FILE_BYTES / LARGE * LARGE;
    return pread(data_fd, buffer, LARGE, position);
}
static long do_reread_large(void) { return pread(data_fd, buffer, LARGE, 0); }
static long do_write_small(void) { return write(growing_fd, buffer, SMALL); }
static long do_write_large(void) { return write(growing_fd, buffer, LARGE); }
static long do_rewrite_small(void) {
    position = (position + SMALL) % (FILE_BYTES - SMALL);
    return pwrite(data_fd, buffer, SMALL, position);
}
static long do_rewrite_large(void) {
    position = (position + LARGE) % FILE_BYTES / LARGE * LARGE;
    return pwrite(data_fd, buffer, LARGE, position);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const char *name, int bytes, int batch, long (*call)(void)) {
    double per_call[MOST_BATCHES];
    int batches = 0;
    double began = now();
    position = 0;
    while (batches < MOST_BATCHES && (batches < 3 || now() - began < BUDGET_NS)) {
        if (ftruncate(growing_fd, 0) != 0 || lseek(growing_fd, 0, SEEK_SET) < 0) fail("ftruncate");
        double waited_before = waited(), start = now();
        for (int i = 0; i < batch; i++)
            if (call() < 0) fail(name);
        double time = now() - start, waiting = waited() - waited_before;
        per_call[batches++] = (waiting < time ? time - waiting : time) / batch;
    }
    qsort(per_call, batches, sizeof per_call[0], ascending);
    printf("%s %d %.1f %.1f %.1f\n", name, bytes, per_call[batches / 2], per_call[batches / 4],
           per_call[batches * 3 / 4]);
}

static int opened(const char *folder, const char *name, char *path, size_t size) {
    if ((size_t)snprintf(path, size, "%s/%s", folder, name) >= size) fail("the path is too long");
    return open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    schedule_fd = open("/proc/self/schedstat", O_RDONLY);
    if ((data_fd = opened(argv[1], "data", data_path, sizeof data_path)) < 0) fail(argv[1]);
    if ((growing_fd = opened(argv[1], "growing", growing_path, sizeof growing_path)) < 0) fail(argv[1]);
    if ((size_t)snprintf(missing_path, sizeof missing_path, "%s/missing", argv[1]) >= sizeof missing_path) return 2;
    memset(buffer, 1, sizeof buffer);
    for (int i = 0; i < FILE_BYTES / LARGE; i++)
        if (write(data_fd, buffer, LARGE) != LARGE) fail("write");
    measure("call", 0, 2000, do_call);
    measure("seek", 0, 2000, do_seek);
    measure("fstat", 0, 1000, do_fstat);
    measure("stat", 0, 500, do_stat);
    measure("access", 0, 500, do_access);
    measure("missing-stat", 0, 500, do_missing_stat);
    measure("missing-open", 0, 300, do_missing_open);
    measure("open-close", 0, 200, do_open_close);
    measure("open-write-close", SMALL, 200, do_open_write_close);
    measure("dup-close", 0, 500, do_dup_close);
    measure("read", SMALL, 1000, do_read_small);
    measure("read", LARGE, 50, do_read_large);
    measure("reread", LARGE, 50, do_reread_large);
    measure("rewrite", SMALL, 1000, do_rewrite_small);
    measure("rewrite", LARGE, 50, do_rewrite_large);
    measure("write", SMALL, 1000, do_write_small);
    measure("write", LARGE, 30, do_write_large);
    unlink(data_path);
    unlink(growing_path);
    return 0;
}
