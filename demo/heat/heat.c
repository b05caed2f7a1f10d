/*
 * A small heat simulation with the I/O habits that I/O Lens finds, and some that it leaves alone.
 *   gcc -g -O2 -o heat heat.c && ./heat results
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CELLS = 16, STEPS = 256, TABLE = 4096 };

static double temperature[CELLS];
static char grid[1 << 20];

/* One line of 100 bytes for each cell goes straight to the kernel. */
static void emit(int fd, int step, int cell)
{
    char line[160];
    snprintf(line, sizeof line, "step %6d cell %6d temperature %12.6f %50s\n", step, cell, temperature[cell], "");
    if (write(fd, line, 100) != 100)
        exit(1);
}

/* The log is opened and closed for every message. */
static void log_progress(const char *folder, int step)
{
    char path[256], line[64];
    snprintf(path, sizeof path, "%s/progress.log", folder);
    int length = snprintf(line, sizeof line, "step %d of %d\n", step, STEPS);
    int fd = open(path, O_CREAT | O_APPEND | O_WRONLY, 0644);
    if (fd < 0 || write(fd, line, (size_t)length) != length)
        exit(1);
    close(fd);
}

/* The same table of material constants is read again for every step. */
static double conductivity(int fd, int step)
{
    static char table[TABLE];
    if (pread(fd, table, sizeof table, 0) != (ssize_t)sizeof table)
        exit(1);
    return 0.1 + table[step] / 1000.0;
}

/* A checkpoint in one piece of 1 MiB, and one fsync: nothing to find here. */
static void checkpoint(const char *folder)
{
    char path[256];
    snprintf(path, sizeof path, "%s/checkpoint.bin", folder);
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    memcpy(grid, temperature, sizeof temperature);
    if (fd < 0 || write(fd, grid, sizeof grid) != (ssize_t)sizeof grid || fsync(fd) != 0)
        exit(1);
    close(fd);
}

static void advance(double c)
{
    for (int cell = 1; cell + 1 < CELLS; cell++)
        temperature[cell] += c * (temperature[cell - 1] - 2 * temperature[cell] + temperature[cell + 1]);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "results";
    char path[256];
    mkdir(folder, 0755);
    snprintf(path, sizeof path, "%s/constants.bin", folder);
    int constants = open(path, O_CREAT | O_TRUNC | O_RDWR, 0644);
    if (constants < 0 || write(constants, grid, TABLE) != TABLE)
        return 1;
    snprintf(path, sizeof path, "%s/cells.txt", folder);
    int cells = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (cells < 0)
        return 1;
    temperature[CELLS / 2] = 100;
    for (int step = 0; step < STEPS; step++) {
        advance(conductivity(constants, step));
        for (int cell = 0; cell < CELLS; cell++)
            emit(cells, step, cell);
        log_progress(folder, step);
    }
    checkpoint(folder);
    close(cells);
    close(constants);
    return 0;
}
