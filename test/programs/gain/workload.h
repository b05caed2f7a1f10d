/*
 * A workload that is repeated: "program FOLDER REPEATS". Every source here is two programs: as it is, and repaired with
 * -DREPAIRED. A recording is made of one repetition; the gain is measured over so many that the clock can tell.
 *
 * Prints the nanoseconds of all repetitions, and how many of them were spent ready to run and waiting for a processor:
 * those are other programs' time.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char path[4096];

static void check(int sound) {
    if (!sound) {
        perror(path);
        exit(1);
    }
}

/* Makes the file that the workload reads. */
static inline void make_file(size_t bytes) {
    char block[65536];
    FILE *out = fopen(path, "wb");
    check(out != NULL);
    for (size_t i = 0; i < sizeof block; i++) block[i] = (char)(i * 31 + i / 256);
    for (size_t done = 0; done < bytes; done += sizeof block) fwrite(block, sizeof block, 1, out);
    check(fclose(out) == 0);
}

static void prepare(void);
static void workload(void);

static long long waited(void) {
    long long ran = 0, waiting = 0;
    FILE *in = fopen("/proc/self/schedstat", "r");
    if (in == NULL) return 0;
    if (fscanf(in, "%lld %lld", &ran, &waiting) != 2) waiting = 0;
    fclose(in);
    return waiting;
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv) {
    check(argc == 3);
    snprintf(path, sizeof path, "%s/gain.dat", argv[1]);
    prepare();
    long long waited_before = waited();
    long long start = now();
    for (int i = atoi(argv[2]); i > 0; i--) workload();
    long long time = now() - start;
    printf("%lld %lld\n", time, waited() - waited_before);
    unlink(path);
    return 0;
}
