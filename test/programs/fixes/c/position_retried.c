/* FIX seek-before-every-access example: a jump goes on with the read, without the seek */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char part[4];
    ssize_t n;
    int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (pwrite(fd, "some text to read", 17, 0) != 17)
        return 1;
    lseek(fd, 5, SEEK_SET); // HERE
more:
    n = read(fd, part, sizeof part);
    if (n > 0) {
        printf("%.*s|", (int)n, part);
        goto more;
    }
    return close(fd);
}
