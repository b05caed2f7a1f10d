/* FIX seek-before-every-access example: what is appended does not go where it is positioned */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int fd = open("data", O_RDWR | O_CREAT | O_APPEND, 0644);
    for (int i = 0; i < 20; i++) {
        char c = 'a' + i;
        lseek(fd, 2 * i, SEEK_SET); // HERE
        if (write(fd, &c, 1) != 1)
            return 1;
        printf("%ld\n", (long)lseek(fd, 0, SEEK_CUR));
    }
    return close(fd);
}
