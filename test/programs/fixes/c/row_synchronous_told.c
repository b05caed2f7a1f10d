/* FIX synchronous-writes example: each row is told to be safe */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void check(int sound)
{
    if (!sound) {
        perror("table");
        exit(1);
    }
}

static char records[60][64];

int main(void)
{
    int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC | O_DSYNC, 0644);
    for (int i = 0; i < 60; i++) {
        check(write(fd, records[i], sizeof records[i]) == sizeof records[i]); // HERE
        printf("%d\n", i);
    }
    return close(fd);
}
