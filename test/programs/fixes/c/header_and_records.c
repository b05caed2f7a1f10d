/* FIX posix-redundant-writes example: the loop writes records as well, which the header counts */
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
    for (int i = 0; i < 300; i++) {
        check(pwrite(fd, "record", 6, 64 + 6L * i) == 6);
        header[i % 64] = (char)('a' + i % 26);
        check(pwrite(fd, header, sizeof header, 0) == sizeof header); // HERE
    }
    return close(fd);
}
