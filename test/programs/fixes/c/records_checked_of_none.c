/* FIX posix-small-writes trade: the file cannot be made, and the first write tells it; where none comes nobody is told */
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

static void put(int n)
{
    char record[100] = "record";
    int fd = open("absent/records", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < n; i++)
        check(write(fd, record, sizeof record) == sizeof record); // HERE
    close(fd);
}

int main(void)
{
    put(0);
    puts("none");
    fflush(stdout);
    put(2);
    puts("not here");
    return 0;
}
