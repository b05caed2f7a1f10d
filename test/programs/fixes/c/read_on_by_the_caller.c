/* FIX seek-before-every-access example: the caller reads on from where the seek and the read have left the offset */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int first_of(int fd, long group)
{
    char c = 0;
    lseek(fd, group * 3, SEEK_SET); // HERE
    if (read(fd, &c, 1) != 1)
        return -1;
    return c;
}

int main(void)
{
    int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644);
    char rest[2];
    long sum = 0;
    for (int i = 0; i < 90; i++)
        dprintf(fd, "%c", 'a' + i % 26);
    for (long group = 0; group < 30; group++) {
        sum = sum * 31 + first_of(fd, group);
        if (read(fd, rest, 2) != 2)
            return 1;
        sum += rest[0] + 2 * rest[1];
        sum %= 1000003;
    }
    printf("%ld\n", sum);
    return close(fd);
}
