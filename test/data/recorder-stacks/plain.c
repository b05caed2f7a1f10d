/* Frames of several shapes: of a fixed size, large, of a size known only at run time, and with an aligned variable. */
#include <stdlib.h>
#include <string.h>

int checkpoint(void);

__attribute__((noinline)) static int small(int n)
{
    volatile char room[24];
    room[n] = 1;
    return checkpoint() + room[n];
}

__attribute__((noinline)) static int large(int n)
{
    volatile char room[100000];
    room[n] = 1;
    return small(n) + room[n];
}

__attribute__((noinline)) static int variable(int n)
{
    volatile char *room = __builtin_alloca(n * 100 + 1);
    room[n] = 1;
    return large(n) + room[n];
}

__attribute__((noinline)) static int aligned(int n)
{
    volatile char room[128] __attribute__((aligned(64)));
    room[n] = 1;
    return variable(n) + room[n];
}

/* Alignment and a variable size together. */
__attribute__((noinline)) static int both(int n)
{
    volatile char room[128] __attribute__((aligned(128)));
    volatile char *more = __builtin_alloca(n * 50 + 1);
    room[n] = more[n] = 1;
    return aligned(n) + room[n] + more[n];
}

static int sorted(const void *a, const void *b)
{
    return checkpoint() + *(const int *)a - *(const int *)b;
}

int main(void)
{
    int sum = 0, pair[2] = {2, 1};
    for (int i = 0; i < 3; i++)
        sum += both(i);
    qsort(pair, 2, sizeof *pair, sorted);
    return small(1) + sum > 100;
}
