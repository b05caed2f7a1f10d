/* FIX open-close-in-loop example: only one process can make the file: a lock */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int try_lock(void)
{
    int fd = open("lock", O_WRONLY | O_CREAT | O_EXCL, 0644); // HERE
    if (fd < 0)
        return -1;
    close(fd);
    return 0;
}

int main(void)
{
    for (int i = 0; i < 5; i++)
        printf("%d\n", try_lock());
    return 0;
}
