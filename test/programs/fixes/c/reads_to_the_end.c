/* FIX posix-small-reads trade: the first record that is not whole ends the loop */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char record[24];
    long sum = 0, n = 0;
    int fd = open(argv[0], O_RDONLY);
    if (fd < 0)
        return argc;
    for (int i = 0; i < 100000000; i++) {
        if (read(fd, record, sizeof record) != sizeof record) { // HERE
            close(fd);
            printf("%s\n", n > 0 && sum != 1 ? "read" : "nothing");
            return 0;
        }
        sum += record[3];
        n++;
    }
    close(fd);
    return 1;
}
