/* FIX posix-redundant-writes example: the pointer moves, so that the last turn writes something else than is said behind */
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
    char all[64] = "header of many letters, each of which is written once more", *header = all;
    int fd = open("header", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 30; i++) {
        header++;
        check(pwrite(fd, header, 16, 0) == 16); // HERE
    }
    return close(fd);
}
