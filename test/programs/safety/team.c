/* Three processes of three threads each that write for ever; each says in a file of its own how far it is. */
#include "calls.h"

enum { PROCESSES = 3, THREADS = 3 };
static volatile long *progress;
static int process;

static void *write_for_ever(void *argument)
{
    int number = process * THREADS + (int)(long)argument;
    for (;;)
        if (write(out, ".", 1) == 1)
            progress[number]++;
    return argument;
}

int main(void)
{
    int fd = open("progress", O_CREAT | O_RDWR, 0644);
    out = open("/dev/null", O_WRONLY);
    if (fd < 0 || ftruncate(fd, 4096) != 0)
        return 90;
    progress = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    while (process < PROCESSES - 1 && fork() == 0)
        process++;
    pthread_t thread;
    for (long i = 1; i < THREADS; i++)
        pthread_create(&thread, NULL, write_for_ever, (void *)i);
    write_for_ever(NULL);
}
