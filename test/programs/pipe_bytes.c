/* Takes a pipe apart byte by byte; with "good" as much as there is. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int good = argc > 1 && strcmp(argv[1], "good") == 0;
    int ends[2];
    char text[600], piece[600];
    memset(text, 'x', sizeof text);
    if (pipe(ends) != 0)
        return 1;
    if (fork() == 0) {
        close(ends[0]);
        _exit(write(ends[1], text, sizeof text) == sizeof text ? 0 : 1);
    }
    close(ends[1]);
    size_t size = good ? sizeof piece : 1;
    while (read(ends[0], piece, size) > 0) /* byte-by-byte-pipe */
        ;
    return wait(NULL) > 0 ? 0 : 1;
}
