/* FIX seek-before-every-access example: the function is called through a pointer by code that reads on */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char look(int fd, int at)
{
    char c = 0;
    lseek(fd, at * 2, SEEK_SET); // HERE
    if (read(fd, &c, 1) != 1)
        return '?';
    return c;
}

static void both(char (*first)(int, int), int fd)
{
    char c = first(fd, 1), d = 0;
    if (read(fd, &d, 1) == 1)
        printf("%c%c\n", c, d);
}

int main(void)
{
    int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (pwrite(fd, "some text", 9, 0) != 9)
        return 1;
    printf("%c\n", look(fd, 0));
    both(look, fd);
    return close(fd);
}
