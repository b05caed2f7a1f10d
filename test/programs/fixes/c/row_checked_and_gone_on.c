/* FIX posix-small-writes example: where a record fails, the others are tried all the same */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void check(int sound)
{
    if (!sound)
        puts("failed");
}

static char records[15][8];

int main(void)
{
    int fd = open("records", O_RDONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 15; i++)
        check(write(fd, records[i], sizeof records[i]) == sizeof records[i]); // HERE
    return close(fd);
}
