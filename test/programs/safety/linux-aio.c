/* Requests of Linux AIO, by libaio or by `syscall`; what each call says is printed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#ifdef RAW
static long of_kernel(long result)
{
    return result < 0 ? -errno : result;
}
#define io_setup(most, context) of_kernel(syscall(SYS_io_setup, most, context))
#define io_submit(context, count, list) of_kernel(syscall(SYS_io_submit, context, (long)(count), list))
#define io_getevents(context, least, most, events, limit)                                                              \
    of_kernel(syscall(SYS_io_getevents, context, (long)(least), (long)(most), events, limit))
#define io_destroy(context) of_kernel(syscall(SYS_io_destroy, context))
#else
int io_setup(int most, aio_context_t *context);
int io_submit(aio_context_t context, long count, struct iocb **list);
int io_getevents(aio_context_t context, long least, long most, struct io_event *events, struct timespec *limit);
int io_destroy(aio_context_t context);
#endif

static aio_context_t context;

static struct iocb request(int operation, int fd, void *memory, size_t bytes, long long offset)
{
    struct iocb made;
    memset(&made, 0, sizeof made);
    made.aio_lio_opcode = operation;
    made.aio_fildes = fd;
    made.aio_buf = (unsigned long)memory;
    made.aio_nbytes = bytes;
    made.aio_offset = offset;
    return made;
}

static void run(struct iocb *requests, int count)
{
    struct iocb *list[8];
    struct io_event events[8];
    for (int i = 0; i < count; i++) list[i] = requests + i;
    long taken = (long)io_submit(context, count, list);
    printf("submitted: %ld\n", taken);
    if (taken <= 0) return;
    long ended = (long)io_getevents(context, taken, 8, events, NULL);
    printf("ended: %ld\n", ended);
    for (long i = 0; i < ended; i++) printf("%d: %lld\n", (int)((struct iocb *)events[i].obj - requests), (long long)events[i].res);
}

int main(void)
{
    char text[] = "0123456789abcdef", memory[16] = "";
    struct iovec parts[2] = {{memory, 3}, {memory + 3, 4}};
    int fd = open("aio.data", O_CREAT | O_TRUNC | O_RDWR, 0644);
    printf("setup: %ld\n", (long)io_setup(8, &context));
    struct iocb writes[3] = {request(IOCB_CMD_PWRITE, fd, text, 16, 0), request(IOCB_CMD_PWRITE, fd, text, 8, 16),
                             request(IOCB_CMD_PWRITE, fd, text, 4, 24)};
    run(writes, 3);
    struct iocb read = request(IOCB_CMD_PREADV, fd, parts, 2, 10);
    run(&read, 1);
    printf("%s\n", memory);
    struct iocb beyond = request(IOCB_CMD_PREAD, fd, memory, 16, 20);
    run(&beyond, 1);
    struct iocb sync = request(IOCB_CMD_FSYNC, fd, NULL, 0, 0);
    run(&sync, 1);
    struct iocb closed = request(IOCB_CMD_PWRITE, 99, text, 16, 0);
    run(&closed, 1);
    printf("list that is none: %ld\n", (long)io_submit(context, 1, (struct iocb **)8));
    struct iocb *wild = (struct iocb *)24;
    printf("request that is none: %ld\n", (long)io_submit(context, 1, &wild));
    printf("no context: %ld\n", (long)io_getevents(0, 1, 1, NULL, NULL));
    printf("destroyed: %ld\n", (long)io_destroy(context));
    return 0;
}
