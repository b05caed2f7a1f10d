/* Computes before its first call, between steps and after its last: 60 ms, four times 20 and 40. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static volatile double sink;

static void compute(long milliseconds)
{
    struct timespec begin, now;
    long ns;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        for (int i = 0; i < 1000; i++) sink += i;
        clock_gettime(CLOCK_MONOTONIC, &now);
        ns = (now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec;
    } while (ns < milliseconds * 1000000L);
}

static void save(int number)
{
    char name[32];
    snprintf(name, sizeof name, "step%d", number);
    int file = open(name, O_CREAT | O_WRONLY, 0644); /* save opens */
    if (write(file, name, sizeof name) < 0) exit(1);
    close(file); /* save closes */
}

int main(void)
{
    compute(60);
    int log = open("log", O_CREAT | O_WRONLY, 0644); /* main opens */
    for (int step = 0; step < 4; step++) {
        compute(20);
        save(step); /* main saves */
    }
    if (write(log, "done", 4) < 0) return 1;
    close(log); /* main closes */
    compute(40);
    return 0;
}
