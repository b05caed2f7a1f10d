/* FIX seek-before-every-access example: a macro reads on */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define NEXT (read(fd, &c, 1) == 1 ? c : '?')

int main(void)
{
    char c = 0;
    int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (pwrite(fd, "some text", 9, 0) != 9)
        return 1;
    for (int i = 0; i < 4; i++) {
        lseek(fd, 2 * i, SEEK_SET); // HERE
        if (read(fd, &c, 1) != 1)
            return 2;
        printf("%c", c);
        printf("%c\n", NEXT);
    }
    return close(fd);
}
