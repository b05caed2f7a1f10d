/* FIX posix-redundant-writes example: a turn that is left does not write */
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
        if (i == 70)
            break;
        header[i % 64] = (char)('a' + i % 26);
        if (i % 3 == 0)
            continue;
        check(pwrite(fd, header, sizeof header, 0) == sizeof header); // HERE
    }
    return close(fd);
}
