/* FIX posix-redundant-writes trade: a pointer that stays where it is */
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
    char first[16] = "first", *header = first;
    int fd = open("header", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 30; i++) {
        header[i % 16] = (char)('a' + i % 26);
        check(pwrite(fd, header, 16, 0) == 16); // HERE
    }
    return close(fd);
}
