/* FIX seek-before-every-access example: the descriptor is a member: other code reads on */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct table {
    int fd;
};

static char at(struct table *t, long i)
{
    char c = 0;
    lseek(t->fd, i, SEEK_SET); // HERE
    if (read(t->fd, &c, 1) != 1)
        return '?';
    return c;
}

static char next(struct table *t)
{
    char c = 0;
    return read(t->fd, &c, 1) == 1 ? c : '?';
}

int main(void)
{
    struct table t = {open("data", O_RDWR | O_CREAT | O_TRUNC, 0644)};
    if (pwrite(t.fd, "some text", 9, 0) != 9)
        return 1;
    for (int i = 0; i < 8; i += 2) {
        printf("%c", at(&t, i));
        printf("%c", next(&t));
    }
    return close(t.fd);
}
