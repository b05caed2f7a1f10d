/* FIX repeated-questions example: the answer says how many turns there are, and is another one before the first */
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
    status.st_size = 0;
    for (int i = 0; i < status.st_size; i++) {
        check(stat("table", &status) == 0); // HERE
        sum += status.st_size;
    }
    printf("%ld\n", sum);
    return 0;
}
