/* FIX posix-redundant-reads trade: the table is the same in each turn */
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

int main(void)
{
    static char table[64];
    long sum = 0;
    int fd = open("table", O_RDWR | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 64; i++)
        table[i] = (char)('a' + i % 26);
    check(write(fd, table, sizeof table) == sizeof table);
    for (int i = 0; i < 300; i++) {
        check(pread(fd, table, sizeof table, 0) == sizeof table); // HERE
        sum += table[i % 64];
    }
    close(fd);
    printf("%ld\n", sum);
    return 0;
}
