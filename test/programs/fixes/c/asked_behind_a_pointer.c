/* FIX repeated-questions example: a pointer leads to the answer */
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
    off_t *size = &status.st_size;
    long sum = 0;
    int fd = open("table", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    check(write(fd, "0123456789", 10) == 10);
    close(fd);
    for (int i = 0; i < 5; i++) {
        check(stat("table", &status) == 0); // HERE
        sum += status.st_size;
        *size = i;
    }
    printf("%ld\n", sum);
    return 0;
}
