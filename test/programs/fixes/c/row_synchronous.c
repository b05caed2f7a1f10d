/* FIX synchronous-writes trade: rows of a table, each safe by itself, then as a whole */
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
    for (int i = 0; i < 60; i++)
        records[i][0] = (char)('a' + i % 26);
    for (int i = 0; i < 60; i++)
        check(write(fd, records[i], sizeof records[i]) == sizeof records[i]); // HERE
    puts("done");
    return close(fd);
}
