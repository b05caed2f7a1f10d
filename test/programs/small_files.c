/* Writes 1,200 files of 2 KiB; with "good" one file. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char piece[2048];

static int piece_file(int number)
{
    char path[64];
    snprintf(path, sizeof path, "pieces/%d.dat", number);
    int fd = open(path, O_CREAT | O_WRONLY, 0644); /* many-small-files */
    if (fd < 0 || write(fd, piece, sizeof piece) != sizeof piece)
        return -1;
    return close(fd);
}

int main(int argc, char **argv)
{
    int good = argc > 1 && strcmp(argv[1], "good") == 0;
    mkdir("pieces", 0755);
    if (good) {
        FILE *all = fopen("all.dat", "wb");
        static char buffer[1 << 20];
        setvbuf(all, buffer, _IOFBF, sizeof buffer);
        for (int number = 0; number < 1200; number++)
            fwrite(piece, sizeof piece, 1, all);
        return fclose(all);
    }
    for (int number = 0; number < 1200; number++)
        if (piece_file(number) != 0)
            return 1;
    return 0;
}
