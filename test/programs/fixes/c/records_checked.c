/* FIX posix-small-writes trade: a function that ends the program looks at each write, and then at the close */
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
    for (int i = 0; i < 400; i++)
        check(write(fd, record, sizeof record) == sizeof record); // HERE
    close(fd);
    puts("done");
    return 0;
}
