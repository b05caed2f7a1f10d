/* Transfers that are begun by one call and asked for by another. */
#define _GNU_SOURCE
#include "report.h"
#include <aio.h>
#include <fcntl.h>

static char buffer[64];

/* Waits and tells how it ended. */
static void finish(struct aiocb *request)
{
    const struct aiocb *list[1] = {request};
    SHOW(aio_suspend(list, 1, NULL));
    SHOW(aio_error(request));
    SHOW(aio_return(request));
}

static void finish_64(struct aiocb64 *request)
{
    const struct aiocb64 *list[1] = {request};
    SHOW(aio_suspend64(list, 1, NULL));
    SHOW(aio_error64(request));
    SHOW(aio_return64(request));
}

int main(void)
{
    int fd = open("requests", O_CREAT | O_RDWR, 0600);
    struct aiocb first = {.aio_fildes = fd, .aio_buf = "0123456789", .aio_nbytes = 10, .aio_offset = 3};
    struct aiocb64 second = {.aio_fildes = fd, .aio_buf = "abc", .aio_nbytes = 3, .aio_offset = 20};
    SHOW(aio_write(&first));
    finish(&first);
    SHOW(aio_write64(&second));
    finish_64(&second);
    SHOW(aio_fsync(O_SYNC, &first));
    finish(&first);
    SHOW(aio_fsync64(O_DSYNC, &second));
    finish_64(&second);
    first.aio_buf = buffer;
    SHOW(aio_read(&first));
    finish(&first);
    SHOW_BYTES(buffer, 10);
    second.aio_buf = buffer;
    second.aio_offset = 100;
    SHOW(aio_read64(&second));
    finish_64(&second);
    first.aio_fildes = 99;
    SHOW(aio_write(&first));
    finish(&first);
    first.aio_fildes = fd;
    first.aio_reqprio = -5;
    SHOW(aio_read(&first));
    first.aio_reqprio = 0;
    first.aio_lio_opcode = LIO_READ;
    struct aiocb third = {.aio_fildes = fd, .aio_buf = "xyz", .aio_nbytes = 3, .aio_offset = 40, .aio_lio_opcode = LIO_WRITE};
    struct aiocb *list[4] = {&first, NULL, &third, NULL};
    SHOW(lio_listio(LIO_WAIT, list, 4, NULL));
    SHOW(aio_return(&first));
    SHOW(aio_return(&third));
    second.aio_lio_opcode = LIO_NOP;
    struct aiocb64 *list64[1] = {&second};
    SHOW(lio_listio64(LIO_NOWAIT, list64, 1, NULL));
    SHOW(lio_listio(77, list, 4, NULL));
    SHOW(close(fd));
    return report_end();
}
