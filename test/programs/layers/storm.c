/* Reading the input at the start.
 * usage: storm every|one FILE
 *   every  every rank looks for, opens, reads and closes every input file
 *   one    one rank reads a single file and sends it to the others */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 64, BYTES = 1024 };
static char input[FILES * BYTES];
static int rank;

static void create(const char *path)
{
    char name[4096];
    if (rank == 0) {
        for (int i = 0; i <= FILES; i++) {
            snprintf(name, sizeof name, i < FILES ? "%s.%d" : "%s", path, i);
            FILE *file = fopen(name, "w");
            fwrite(input, 1, i < FILES ? BYTES : sizeof input, file);
            fclose(file);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static int read_part(const char *name, char *to, size_t bytes)
{
    struct stat found;
    if (stat(name, &found))
        return 0;
    int fd = open(name, O_RDONLY); /* FINDING opens */
    int done = read(fd, to, bytes) == (ssize_t)bytes;
    close(fd); /* FINDING closes */
    return done;
}

static int read_every(const char *path)
{
    char name[4096];
    int done = 1;
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "%s.%d", path, i);
        done &= read_part(name, input + i * BYTES, BYTES);
    }
    return done;
}

static int read_one(const char *path)
{
    int done = rank != 0 || read_part(path, input, sizeof input);
    MPI_Bcast(input, sizeof input, MPI_BYTE, 0, MPI_COMM_WORLD);
    return done;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    create(argv[2]);
    int done = !strcmp(argv[1], "every") ? read_every(argv[2]) : read_one(argv[2]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return !done;
}
