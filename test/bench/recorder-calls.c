/*
 * Many small calls at the end of a chain of functions: what a recorder adds to each.
 *
 *   recorder-calls CALLS DEPTH FILE       prints nanoseconds per call
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 64, PLACES = 16384 };

static char record[BYTES], content[BYTES * PLACES];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static void write_records(int file, long calls)
{
    for (long i = 0; i < calls; i++)
        if (pwrite(file, record, BYTES, i % PLACES * BYTES) != BYTES) exit(1);
}

__attribute__((noinline)) static long below(int depth, int file, long calls)
{
    if (depth == 0)
        write_records(file, calls);
    else
        calls += below(depth - 1, file, calls) & 1;
    return calls;
}

int main(int count, char **values)
{
    if (count != 4) return 2;
    long calls = atol(values[1]);
    int file = open(values[3], O_CREAT | O_TRUNC | O_RDWR, 0600);
    if (file < 0) return 1;
    /* So that no call makes the file longer. */
    if (write(file, content, sizeof content) != sizeof content) return 1;
    double start = now();
    below(atoi(values[2]), file, calls);
    printf("%.1f\n", (now() - start) / (double)calls);
    return close(file);
}
