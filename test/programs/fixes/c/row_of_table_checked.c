/* FIX posix-small-writes repair: rows of a table, each checked by a function that ends the program */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void check(int sound)
{
    if (!sound) {
        perror("table");
        exit(1);
    }
}

static char records[150][80];

int main(void)
{
    int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 150; i++)
        for (int k = 0; k < 80; k++)
            records[i][k] = (char)('a' + (i + k) % 26);
    for (int i = 0; i < 150; i++)
        check(write(fd, records[i], sizeof records[i]) == sizeof records[i]); // HERE
    puts("done");
    return close(fd);
}
