/*
 * heat.c after following the findings: lines are gathered, the log stays open, the table is read once.
 *   gcc -g -O2 -o heat-fixed heat-fixed.c && ./heat-fixed results
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

/* Lines of 100 bytes are gathered, and go to the kernel in one piece when no other fits. */
static char gathered[1 << 20];
static size_t held;

static void flush_cells(int fd)
{
    if (write(fd, gathered, held) != (ssize_t)held)
        exit(1);
    held = 0;
}

static void emit(int fd, int step, int cell)
{
    char line[160];
    snprintf(line, sizeof line, "step %6d cell %6d temperature %12.6f %50s\n", step, cell, temperature[cell], "");
    if (held > sizeof gathered - 100)
        flush_cells(fd);
    memcpy(gathered + held, line, 100);
    held += 100;
}

/* The log stays open. */
static void log_progress(int fd, int step)
{
    char line[64];
    int length = snprintf(line, sizeof line, "step %d of %d\n", step, STEPS);
    if (write(fd, line, (size_t)length) != length)
        exit(1);
}

/* The table of material constants is read with the first step. */
static double conductivity(int fd, int step)
{
    static char table[TABLE];
    if (step == 0 && pread(fd, table, sizeof table, 0) != (ssize_t)sizeof table)
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
    snprintf(path, sizeof path, "%s/progress.log", folder);
    int progress = open(path, O_CREAT | O_APPEND | O_WRONLY, 0644);
    if (progress < 0)
        return 1;
    temperature[CELLS / 2] = 100;
    for (int step = 0; step < STEPS; step++) {
        advance(conductivity(constants, step));
        for (int cell = 0; cell < CELLS; cell++)
            emit(cells, step, cell);
        log_progress(progress, step);
    }
    flush_cells(cells);
    checkpoint(folder);
    close(progress);
    close(cells);
    close(constants);
    return 0;
}
