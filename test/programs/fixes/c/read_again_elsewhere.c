/* FIX posix-redundant-reads example: each turn reads another place */
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
    off_t place = 0;
    for (int i = 0; i < 30; i++) {
        check(pread(fd, table, 8, place) == 8); // HERE
        sum += table[i % 8];
        place = place == 48 ? 0 : place + 8;
    }
    close(fd);
    printf("%ld\n", sum);
    return 0;
}
