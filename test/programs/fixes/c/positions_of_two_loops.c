/* FIX seek-before-every-access repair: the variable of another loop has the same name, and becomes negative */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char record[16];
    long sum = argc;
    int fd = open(argv[0], O_RDONLY);
    for (int i = 3; i > -3; i--)
        sum += i;
    for (int i = 0; i < 90; i++) {
        lseek(fd, 32L * i, SEEK_SET); // HERE
        if (read(fd, record, sizeof record) == sizeof record)
            sum += record[0];
    }
    close(fd);
    printf("%d\n", sum != 1);
    return 0;
}
