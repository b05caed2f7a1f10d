/* Threads that each take all ways through a tree, twice: more different stacks than the recorder's tables begin with. */
#include <pthread.h>

int checkpoint(void);
static int walk(int depth, unsigned turns);

__attribute__((noinline)) static int left(int depth, unsigned turns)
{
    return walk(depth - 1, turns >> 1) + 1;
}

__attribute__((noinline)) static int right(int depth, unsigned turns)
{
    return walk(depth - 1, turns >> 1) - 1;
}

__attribute__((noinline)) static int walk(int depth, unsigned turns)
{
    if (depth == 0)
        return checkpoint();
    return (turns & 1 ? left(depth, turns) : right(depth, turns)) * 3;
}

static void *run(void *given)
{
    for (int round = 0; round < 2; round++)
        for (unsigned turns = 0; turns < 1024; turns++)
            walk(10, turns * 7 + *(unsigned *)given);
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    unsigned first[4];
    for (unsigned i = 0; i < 4; i++) {
        first[i] = 100 * i;
        if (pthread_create(&threads[i], NULL, run, &first[i]) != 0)
            return 1;
    }
    for (unsigned i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
