/* FIX posix-redundant-writes example: each turn writes to another place */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void check(int sound)
{
    if (!sound) {
        perror("header");
        exit(1);
    }
}

int main(void)
{
    char header[64] = "header";
    int fd = open("header", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 30; i++) {
        header[i] = (char)('a' + i % 26);
        check(pwrite(fd, header, sizeof header, i % 3 * 64) == sizeof header); // HERE
    }
    return close(fd);
}
