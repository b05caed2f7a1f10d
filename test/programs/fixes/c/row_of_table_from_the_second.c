/* FIX posix-small-writes repair: rows of a table behind the first, and a list of names */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int table[9][4] = {{1, 2, 3, 4}, {5, 6}, {7}, {8}}, lines;

int main(void)
{
    int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 1; i < 9; i++)
        if (write(fd, table[i], sizeof table[i]) != sizeof table[i]) { // HERE
            perror("records");
            return 1;
        }
    printf("%d\n", lines);
    return close(fd);
}
