/*
 * A workload that is repeated: "program FOLDER REPEATS". With 0 it makes the files that the workload reads, and no more, so
 * that a recording holds the workload alone. A source with places marked PLANTED is several programs: as it is,
 * and with -DREPAIRED=1, 2, 4, … with the first, second, third marked place repaired (or the sum of these). A recording is
 * made of one repetition; what a repair saves is measured over so many that the clock can tell.
 *
 * Prints the nanoseconds of all repetitions, how many of them were spent ready to run and waiting for a processor (those
 * are other programs' time), and the nanoseconds since main began. With <mpi.h> included before, those of the slowest rank.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef REPAIRED
#define REPAIRED 0
#endif

static char path[4096];

static inline void check(int sound) {
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

/*
 * Computes for about so many milliseconds: always the same work, on a busy machine too. Not where WITHOUT_COMPUTING is set:
 * what a repair saves of the I/O would be lost in the noise of it.
 */
static inline double compute(int milliseconds) {
    volatile double x = 1;
    if (getenv("WITHOUT_COMPUTING") != NULL) return x;
    for (long i = milliseconds * 180000L; i > 0; i--) x = x * 1.0000001 + 1e-9;
    return x;
}

#ifdef __cplusplus
extern "C" {
#endif
#ifndef WORKLOAD
#define WORKLOAD static
#endif
WORKLOAD void prepare(void);
WORKLOAD void workload(void);
#ifdef __cplusplus
}
#endif

/* What threads waited, where they say so. */
static long long waited_besides;

static inline long long waited_itself(void) {
    long long ran = 0, waiting = 0;
    FILE *in = fopen("/proc/thread-self/schedstat", "r");
    if (in == NULL) return 0;
    if (fscanf(in, "%lld %lld", &ran, &waiting) != 2) waiting = 0;
    fclose(in);
    return waiting;
}

static inline long long waited(void) { return waited_itself() + waited_besides; }

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int rank;
#ifdef MPI_VERSION
static int ranks;
#endif

static void begin(int *argc, char ***argv) {
#ifdef MPI_VERSION
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#else
    (void)argc, (void)argv;
#endif
}

static void end(long long figures[3]) {
#ifdef MPI_VERSION
    long long own[3] = {figures[0], figures[1], figures[2]};
    MPI_Reduce(own, figures, 3, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
#endif
    if (rank == 0) printf("%lld %lld %lld\n", figures[0], figures[1], figures[2]);
#ifdef MPI_VERSION
    MPI_Finalize();
#endif
}

int main(int argc, char **argv) {
    long long began = now();
    begin(&argc, &argv);
    check(argc == 3 && chdir(argv[1]) == 0 && getcwd(path, sizeof path - 16) != NULL);
    strcat(path, "/truth.dat");
    int repeats = atoi(argv[2]);
    if (repeats == 0 && rank == 0) prepare();
#ifdef MPI_VERSION
    MPI_Barrier(MPI_COMM_WORLD);
#endif
    long long waited_before = waited(), start = now();
    for (int i = 0; i < repeats; i++) workload();
    long long figures[3] = {now() - start, waited() - waited_before, now() - began};
    end(figures);
    return 0;
}
