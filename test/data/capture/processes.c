/* What each kind of process does to its files: four blocks, a thread that reads, a stream, an error, a forked process that
 * writes through its parent's descriptor and becomes another program. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int data;
static void block(int fd, char of)
{
    char bytes[64];
    for (int i = 0; i < 64; i++) bytes[i] = of;
    if (write(fd, bytes, sizeof bytes) < 0) exit(1);
}
static void *thread(void *nothing)
{
    char bytes[32];
    if (pread(data, bytes, sizeof bytes, 96) < 0) exit(1);
    return nothing;
}
int main(void)
{
    data = open("data.bin", O_RDWR | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 4; i++) block(data, 'a');
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
    if (open("missing/file", O_RDONLY) >= 0) return 1;
    FILE *log = fopen("log.txt", "w");
    fprintf(log, "%d blocks\n", 4);
    fclose(log);
    if (fork() == 0) {
        block(data, 'b');
        execlp("cat", "cat", "log.txt", NULL);
        _exit(1);
    }
    wait(NULL);
    block(data, 'c');
    close(data);
    return 0;
}
