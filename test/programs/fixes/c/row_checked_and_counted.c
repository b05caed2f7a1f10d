/* FIX posix-small-writes example: the function that looks at the result counts how often it was called */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int checks;

static void check(int sound)
{
    checks++;
    if (!sound)
        exit(1);
}

static char records[15][8];

int main(void)
{
    int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 15; i++)
        check(write(fd, records[i], sizeof records[i]) == sizeof records[i]); // HERE
    printf("%d\n", checks);
    return close(fd);
}
