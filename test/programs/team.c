/* Four processes side by side. "read-all": each reads the whole table, "read-parts": a quarter each;
 * "uneven" and "even": what each writes to a file of its own. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEAM = 4, PIECES = 16, PIECE = 65536 };
static char piece[PIECE];

static void read_table(int first, int end)
{
    int fd = open("table.bin", O_RDONLY);
    for (int i = first; i < end; i++)
        if (pread(fd, piece, PIECE, (off_t)i * PIECE) != PIECE) /* same-file-read-by-all */
            _exit(1);
    close(fd);
}

static void write_own(int member, int pieces)
{
    char path[64];
    snprintf(path, sizeof path, "part%d.bin", member);
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    for (int i = 0; i < pieces; i++)
        if (write(fd, piece, PIECE) != PIECE) /* posix-write-imbalance-individual */
            _exit(1);
    close(fd);
}

static void work(const char *what, int member)
{
    int share = PIECES / TEAM;
    if (strcmp(what, "read-all") == 0)
        read_table(0, PIECES);
    else if (strcmp(what, "read-parts") == 0)
        read_table(member * share, (member + 1) * share);
    else
        write_own(member, strcmp(what, "uneven") == 0 && member > 0 ? share : 2 * PIECES);
}

int main(int argc, char **argv)
{
    int start[2];
    char go;
    int fd = open("table.bin", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (argc < 2 || fd < 0 || ftruncate(fd, (off_t)PIECES * PIECE) != 0 || pipe(start) != 0)
        return 1;
    close(fd);
    for (int member = 0; member < TEAM; member++) {
        if (fork() != 0)
            continue;
        close(start[1]);
        if (read(start[0], &go, 1) != 0) /* until all are there */
            _exit(1);
        work(argv[1], member);
        _exit(0);
    }
    close(start[1]);
    int failed = 0, status;
    while (wait(&status) > 0)
        failed |= status;
    return failed != 0;
}
