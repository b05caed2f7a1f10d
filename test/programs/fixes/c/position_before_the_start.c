/* FIX seek-before-every-access example: nobody asks whether the seek failed: then the first record is read */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644);
    char c = 0;
    if (pwrite(fd, "some text", 9, 0) != 9)
        return 1;
    for (int i = -1; i < 5; i++) {
        lseek(fd, i, SEEK_SET); // HERE
        if (read(fd, &c, 1) != 1)
            return 2;
        printf("%c", c);
    }
    return close(fd);
}
