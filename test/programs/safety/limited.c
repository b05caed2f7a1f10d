/* Makes many calls in two threads, and lets a child use a descriptor that was opened late; with an argument it goes on. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SMALL = 40000, BIG = 5000, FAILED = 1000, OF_CHILD = 10 };

static void small(int fd)
{
    char bytes[64] = {0};
    for (int i = 0; i < SMALL; i++)
        if (write(fd, bytes, sizeof bytes) != sizeof bytes)
            abort();
}

static void big(int fd)
{
    static char bytes[8192];
    for (int i = 0; i < BIG; i++)
        if (pwrite(fd, bytes, sizeof bytes, 0) != sizeof bytes)
            abort();
}

static void *work(void *name)
{
    int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    small(fd);
    big(fd);
    close(fd);
    return name;
}

static void let_child_write(void)
{
    int fd = open("late", O_CREAT | O_TRUNC | O_WRONLY, 0600);
    if (fork() == 0) {
        for (int i = 0; i < OF_CHILD; i++)
            if (write(fd, "child", 5) != 5)
                abort();
        _exit(0);
    }
    wait(NULL);
    close(fd);
}

int main(int count, char **arguments)
{
    (void)arguments;
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, "first");
    pthread_create(&threads[1], NULL, work, "second");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < FAILED; i++)
        if (open("nowhere", O_RDONLY) >= 0)
            abort();
    let_child_write();
    while (count > 1)
        if (access("nowhere", F_OK) == 0)
            abort();
    return 0;
}
