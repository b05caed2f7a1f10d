/* A shared file of results.
 * usage: locks contended|free FILE
 *   contended  every rank locks the whole file for each of its records
 *   free       every rank writes its own part of the file, which needs no lock */
#include <fcntl.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { RECORDS = 40, BYTES = 4096 };
static char record[BYTES];
static int rank;

static void lock(int fd, int kind)
{
    struct flock whole = {.l_type = kind, .l_whence = SEEK_SET};
    fcntl(fd, F_SETLKW, &whole); /* FINDING waits */
}

static int append_locked(int fd)
{
    lock(fd, F_WRLCK);
    off_t end = lseek(fd, 0, SEEK_END);
    int done = pwrite(fd, record, BYTES, end) == BYTES;
    usleep(500); /* the work that other ranks wait for */
    lock(fd, F_UNLCK);
    return done;
}

static int write_own(int fd, int number)
{
    usleep(500);
    return pwrite(fd, record, BYTES, (off_t)(rank * RECORDS + number) * BYTES) == BYTES;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int contended = !strcmp(argv[1], "contended"), done = 1;
    int fd = open(argv[2], O_CREAT | O_RDWR, 0644);
    memset(record, 'a' + rank, BYTES);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int number = 0; number < RECORDS; number++)
        done &= contended ? append_locked(fd) : write_own(fd, number);
    close(fd);
    MPI_Finalize();
    return !done;
}
