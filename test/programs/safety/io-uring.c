/* Writes through a ring of io_uring, by liburing. */
#include <fcntl.h>
#include <liburing.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    struct io_uring ring;
    int fd = open("ring.data", O_CREAT | O_TRUNC | O_RDWR, 0644);
    int made = io_uring_queue_init(8, &ring, 0);
    if (made < 0) return 77;
    for (int i = 0; i < 100; i++) {
        struct io_uring_cqe *done;
        io_uring_prep_write(io_uring_get_sqe(&ring), fd, "0123456789", 10, i * 10);
        if (i % 2 == 0) printf("%d ", io_uring_submit_and_wait(&ring, 1));
        else printf("%d ", io_uring_submit(&ring));
        int waited = io_uring_wait_cqe(&ring, &done);
        printf("%d %d\n", waited, done->res);
        io_uring_cqe_seen(&ring, done);
    }
    io_uring_queue_exit(&ring);
    return close(fd);
}
