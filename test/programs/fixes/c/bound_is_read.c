/* FIX posix-small-reads example: what is read changes how much is read */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct message {
    int length;
    int words[40];
};

static int load(int fd, struct message *m)
{
    int *all = &m->length;
    m->length = 2;
    for (int i = 0; i < m->length; i++)
        if (read(fd, &all[i], sizeof all[i]) != sizeof all[i]) // HERE
            return -1;
    return m->length;
}

int main(void)
{
    struct message m;
    int fd = open("messages", O_RDWR | O_CREAT | O_TRUNC, 0644);
    for (int i = 7; i < 30; i++)
        if (write(fd, &i, sizeof i) != sizeof i)
            return 1;
    lseek(fd, 0, SEEK_SET);
    printf("%d\n", load(fd, &m));
    printf("%ld\n", (long)lseek(fd, 0, SEEK_CUR));
    return close(fd);
}
