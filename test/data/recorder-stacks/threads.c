/* Threads that take the same and different ways, and a forked child that goes on by itself. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

int checkpoint(void);

__attribute__((noinline)) static int down(int depth)
{
    volatile char room[300];
    room[depth] = 1;
    return depth == 0 ? checkpoint() : down(depth - 1) + room[depth];
}

static void *run(void *given)
{
    for (int i = 0; i < 40; i++)
        down((i + *(int *)given) % 20);
    return NULL;
}

int main(void)
{
    pthread_t threads[8];
    int numbers[8];
    for (int i = 0; i < 8; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, run, &numbers[i]) != 0)
            return 1;
    }
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    pid_t child = fork();
    if (child == 0) {
        down(2);
        run(&numbers[3]);
        return 0;
    }
    int status = 1;
    waitpid(child, &status, 0);
    return status;
}
