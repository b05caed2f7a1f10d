/* What moves bytes, positions, sizes, mapping and what reaches the storage. */
#define _GNU_SOURCE
#include "report.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room);
ssize_t __pread_chk(int fd, void *buffer, size_t size, off_t offset, size_t room);
ssize_t __pread64_chk(int fd, void *buffer, size_t size, off_t offset, size_t room);
ssize_t __recv_chk(int fd, void *buffer, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void *buffer, size_t size, size_t room, int flags, struct sockaddr *from, socklen_t *length);
int __dprintf_chk(int fd, int flag, const char *format, ...);
int __vdprintf_chk(int fd, int flag, const char *format, va_list list);

static char buffer[64];
static struct iovec parts[2] = {{buffer, 3}, {buffer + 10, 4}};

static void simple(void)
{
    SHOW(write(3, "0123456789abcdef", 16));
    SHOW(write(3, NULL, 5));
    SHOW(write(3, NULL, 0));
    SHOW(write(99, "x", 1));
    SHOW(lseek(3, 0, SEEK_SET));
    SHOW(read(3, buffer, 5));
    SHOW_BYTES(buffer, 5);
    SHOW(read(3, buffer, 60));
    SHOW(read(3, buffer, 60));
    SHOW(read(3, NULL, 5));
    SHOW(read(4, buffer, 5));
    SHOW(read(-1, buffer, 5));
    SHOW(__read_chk(3, buffer, 5, 64));
    SHOW(lseek64(3, -3, SEEK_END));
    SHOW(lseek(3, -30, SEEK_CUR));
    SHOW(lseek(3, 0, 77));
    SHOW(pread(3, buffer, 4, 2));
    SHOW_BYTES(buffer, 4);
    SHOW(pread64(3, buffer, 4, 15));
    SHOW(pread(3, buffer, 4, -1));
    SHOW(pread(3, buffer, 4, 1L << 40));
    SHOW(__pread_chk(3, buffer, 4, 2, 64));
    SHOW(__pread64_chk(3, buffer, 4, 3, 64));
    SHOW(pwrite(3, "XY", 2, 20));
    SHOW(pwrite64(3, "Z", 1, 30));
    SHOW(pwrite(3, "Z", 1, -5));
    SHOW(lseek(3, 0, SEEK_CUR));
    SHOW(lseek(3, 0, SEEK_HOLE));
}

static void vectors(void)
{
    SHOW(lseek(3, 1, SEEK_SET));
    SHOW(readv(3, parts, 2));
    SHOW_BYTES(buffer + 10, 4);
    SHOW(readv(3, NULL, 2));
    SHOW(readv(3, parts, -1));
    SHOW(readv(99, parts, 2));
    SHOW(writev(3, parts, 2));
    SHOW(writev(99, NULL, 2));
    SHOW(preadv(3, parts, 2, 3));
    SHOW(preadv64(3, parts, 1, 3));
    SHOW(pwritev(3, parts, 2, 40));
    SHOW(pwritev64(3, parts, 2, -40));
    SHOW(preadv2(3, parts, 2, 3, 0));
    SHOW(preadv64v2(3, parts, 2, -1, 0));
    SHOW(preadv2(3, parts, 2, 3, -1));
    SHOW(pwritev2(3, parts, 2, 44, RWF_SYNC));
    SHOW(pwritev64v2(3, parts, 1, -1, 0));
}

static void copies(void)
{
    off_t from = 2, to = 5;
    int ends[2];
    SHOW(sendfile(4, 3, &from, 6));
    report("    from %ld\n", (long)from);
    SHOW(sendfile64(4, 3, NULL, 4));
    SHOW(sendfile(99, 3, NULL, 4));
    SHOW(sendfile(4, 3, (off_t *)8, 4));
    SHOW(copy_file_range(3, &from, 4, &to, 7, 0));
    report("    from %ld to %ld\n", (long)from, (long)to);
    SHOW(copy_file_range(3, NULL, 4, NULL, 7, 0));
    SHOW(copy_file_range(3, NULL, 99, NULL, 7, 0));
    SHOW(pipe(ends));
    from = 1;
    SHOW(splice(3, &from, ends[1], NULL, 5, 0));
    SHOW(splice(ends[0], &from, 4, NULL, 5, 0));
    int others[2];
    SHOW(pipe2(others, O_CLOEXEC));
    SHOW(tee(ends[0], others[1], 3, 0));
    SHOW(splice(ends[0], NULL, 4, NULL, 5, 0));
    SHOW(read(others[0], buffer, 10));
    SHOW(close(others[1]));
    SHOW(read(others[0], buffer, 10));
    SHOW(write(4, "end", 3));
}

static int print_list(int checked, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int result = checked ? __vdprintf_chk(4, 1, format, list) : vdprintf(4, format, list);
    va_end(list);
    return result;
}

static void text(void)
{
    SECTION("dprintf");
    SHOW(dprintf(4, "%s %d %.3f %Lg\n", "text", 42, 1.5, 2.5L));
    SHOW(dprintf(99, "%d", 1));
    SHOW(__dprintf_chk(4, 1, "%c%c%ld\n", 'a', 'b', 1L << 40));
    SHOW(print_list(0, "%5d|%-5s|\n", 7, "x"));
    SHOW(print_list(1, "%g %s\n", 0.25, "y"));
    SECTION("");
}

static void storage(void)
{
    SHOW(fsync(3));
    SHOW(fsync(99));
    SHOW(fdatasync(3));
    SHOW(syncfs(3));
    SHOW(sync_file_range(3, 0, 10, SYNC_FILE_RANGE_WRITE));
    SHOW(sync_file_range(3, -1, 10, 0));
    sync();
    SHOW(ftruncate(3, 100));
    SHOW(ftruncate64(3, -1));
    SHOW(ftruncate(99, 1));
    SHOW(truncate("data", 90));
    SHOW(truncate64("missing", 90));
    SHOW(truncate(NULL, 90));
    SHOW(fallocate(3, 0, 0, 120));
    SHOW(fallocate64(3, FALLOC_FL_PUNCH_HOLE, 0, 5));
    SHOW(posix_fadvise(3, 0, 10, POSIX_FADV_SEQUENTIAL));
    SHOW(posix_fadvise64(99, 0, 10, POSIX_FADV_RANDOM));
    SHOW(readahead(3, 0, 20));
    SHOW(readahead(99, 0, 20));
    SHOW(posix_fallocate(3, 0, 130));
    SHOW(posix_fallocate64(3, -1, 130));
    SHOW(posix_fallocate(99, 0, 130));
}

static void mapping(void)
{
    char *memory = mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
    SHOW(memory == MAP_FAILED);
    memory[0] = '#';
    SHOW(msync(memory, 100, MS_SYNC));
    SHOW(msync(memory + 1, 100, MS_SYNC));
    SHOW(munmap(memory, 100));
    SHOW(pread(3, buffer, 1, 0));
    SHOW_BYTES(buffer, 1);
    SHOW((long)mmap64(NULL, 100, PROT_READ, MAP_PRIVATE, 99, 0));
    SHOW((long)mmap(NULL, 0, PROT_READ, MAP_PRIVATE, 3, 0));
    SECTION("refused by the C library");
    SHOW((long)mmap(NULL, 100, PROT_READ, MAP_PRIVATE, 3, 1));
    SECTION("");
    SHOW(mmap(NULL, 100, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
}

/* The kernel knows no send and no recv: they are sendto and recvfrom without an address. */
static void messages(void)
{
    SECTION("messages");
    int ends[2];
    SHOW(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    struct iovec out = {"0123", 4}, in = {buffer, 3};
    struct msghdr sent = {.msg_iov = &out, .msg_iovlen = 1}, received = {.msg_iov = &in, .msg_iovlen = 1};
    SHOW(send(ends[0], "abcdef", 6, 0));
    SHOW(sendto(ends[0], "gh", 2, 0, NULL, 0));
    SHOW(sendmsg(ends[0], &sent, 0));
    SHOW(sendmsg(ends[0], NULL, 0));
    SHOW(recv(ends[1], buffer, 3, 0));
    SHOW_BYTES(buffer, 3);
    SHOW(__recv_chk(ends[1], buffer, 2, sizeof buffer, 0));
    SHOW(recvfrom(ends[1], buffer, 2, 0, NULL, NULL));
    SHOW(__recvfrom_chk(ends[1], buffer, 1, sizeof buffer, 0, NULL, NULL));
    SHOW(recvmsg(ends[1], &received, 0));
    SHOW_BYTES(buffer, 3);
    SHOW(recv(ends[1], buffer, 9, MSG_DONTWAIT));
    SHOW(recv(ends[1], buffer, 9, MSG_DONTWAIT));
    SHOW(send(99, "x", 1, 0));
    SHOW(close(ends[0]));
    SHOW(recv(ends[1], buffer, 9, 0));
    SHOW(close(ends[1]));
    SECTION("");
}

int main(void)
{
    SHOW(open("data", O_CREAT | O_RDWR | O_TRUNC, 0600));
    SHOW(open("copy", O_CREAT | O_WRONLY | O_TRUNC, 0600));
    simple();
    vectors();
    copies();
    text();
    storage();
    mapping();
    messages();
    SHOW(close(3));
    SHOW(close(4));
    return report_end();
}
