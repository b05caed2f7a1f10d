/* FIX posix-small-writes example: pointers to texts, which lie anywhere */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *texts[3] = {"one....", "two....", "three.."};

int main(void)
{
    int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 3; i++)
        if (write(fd, texts[i], sizeof texts[i]) != sizeof texts[i]) // HERE
            return 1;
    return close(fd);
}
