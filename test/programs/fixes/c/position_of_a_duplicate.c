/* FIX seek-before-every-access example: a second descriptor shares the offset */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644), again = dup(fd);
    char c = 0, d = 0;
    if (pwrite(fd, "some text that is read", 22, 0) != 22)
        return 1;
    for (int i = 0; i < 20; i += 2) {
        lseek(fd, i, SEEK_SET); // HERE
        if (read(fd, &c, 1) != 1)
            return 2;
        if (read(again, &d, 1) != 1)
            return 3;
        printf("%c%c", c, d);
    }
    close(again);
    return close(fd);
}
