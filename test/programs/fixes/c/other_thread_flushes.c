/* FIX posix-small-writes example threaded: two threads write their own files, a buffer in common would mix them */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *work(void *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 500; i++) {
        char line[16];
        int length = snprintf(line, sizeof line, "%s %d\n", (char *)name, i);
        if (write(fd, line, length) != length) // HERE
            break;
    }
    close(fd);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, work, "a");
    pthread_create(&second, NULL, work, "b");
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
