/* FIX seek-before-every-access repair: a position may be wrong, and is answered as a read that fails */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int look(const char *name, long at)
{
    char c = 0;
    int fd;
    if ((fd = open(name, O_RDONLY)) == -1)
        return -2;
    if (lseek(fd, at, SEEK_SET) < 0) { // HERE
        close(fd);
        return -1;
    }
    if (read(fd, &c, 1) != 1) {
        close(fd);
        return -1;
    }
    close(fd);
    return c;
}

int main(void)
{
    FILE *out = fopen("data", "w");
    fputs("some text", out);
    fclose(out);
    for (long at = -3; at < 12; at++)
        printf("%d\n", look("data", at));
    return look("missing", 0) == -2 ? 0 : 1;
}
