/* FIX posix-small-writes example: one write is checked, the other is not */
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

int main(void)
{
    char record[100] = "record";
    int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 400; i++) {
        check(write(fd, record, sizeof record) == sizeof record); // HERE
        if (write(fd, "\n", 1) < 0)
            return 1;
    }
    close(fd);
    return 0;
}
