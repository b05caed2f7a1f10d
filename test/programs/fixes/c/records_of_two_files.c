/* FIX posix-small-writes trade: two files in turn, each with a stream of its own */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int other = open("odd", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    int fd = open("even", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0)
        exit(1);
    for (int i = 0; i < 2000; i++) {
        char line[32];
        int length = snprintf(line, sizeof line, "%d\n", i);
        if (i % 2 == 0) {
            if (write(fd, line, length) < 0) // HERE
                exit(2);
        } else if (write(other, line, length) < 0) {
            exit(3);
        }
    }
    if (close(other) != 0)
        exit(4);
    if (close(fd) != 0)
        exit(5);
    return 0;
}
