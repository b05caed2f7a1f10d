/* Writes 8 MiB and reads them: from the page cache, from the disk when told to be "cold", and through a "pipe". */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIECE = 65536, PIECES = 128 };
static char piece[PIECE];

static void write_all(int fd)
{
    for (int i = 0; i < PIECES; i++)
        if (write(fd, piece, PIECE) != PIECE)
            abort();
}

static void read_all(int fd)
{
    while (read(fd, piece, PIECE) > 0)
        ;
}

static void through_pipe(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        abort();
    if (fork() == 0) {
        write_all(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    read_all(ends[0]);
    wait(NULL);
}

int main(int count, char **arguments)
{
    const char *how = count > 1 ? arguments[1] : "";
    if (strcmp(how, "pipe") == 0) {
        through_pipe();
        return 0;
    }
    int fd = open("data", O_CREAT | O_TRUNC | O_RDWR, 0600);
    write_all(fd);
    if (strcmp(how, "cold") == 0)
        if (fsync(fd) != 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0)
            abort();
    lseek(fd, 0, SEEK_SET);
    read_all(fd);
    close(fd);
    return 0;
}
