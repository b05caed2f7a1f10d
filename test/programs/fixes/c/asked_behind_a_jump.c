/* FIX repeated-questions example: a turn is cut short, and the loop goes on */
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
    struct stat status;
    long sum = 0;
    int fd = open("table", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    check(write(fd, "0123456789", 10) == 10);
    close(fd);
    for (int i = 0; i < 5; i++) {
        if (stat("table", &status) != 0) // HERE
            continue;
        sum += status.st_size;
        if (i == 2)
            continue;
        sum++;
    }
    printf("%ld\n", sum);
    return 0;
}
