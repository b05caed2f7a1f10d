// The program of a newcomer: three files and a Makefile, with nothing of I/O Lens in it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const HEADER = `#ifndef OCEAN_H
#define OCEAN_H

enum { CELLS = 96 };

struct grid {
    double height[CELLS][CELLS];
    double speed[CELLS][CELLS];
};

void grid_fill(struct grid *grid);
void grid_step(struct grid *grid);
int output_cell(const char *folder, int step, int i, int j, double height);

#endif
`;

const GRID = `#include "ocean.h"

void grid_fill(struct grid *grid)
{
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++) {
            grid->height[i][j] = i == CELLS / 2 && j == CELLS / 2 ? 10.0 : 1.0;
            grid->speed[i][j] = 0.0;
        }
}

void grid_step(struct grid *grid)
{
    for (int i = 1; i < CELLS - 1; i++)
        for (int j = 1; j < CELLS - 1; j++)
            grid->speed[i][j] += 0.1 * (grid->height[i - 1][j] + grid->height[i + 1][j] + grid->height[i][j - 1] +
                                        grid->height[i][j + 1] - 4 * grid->height[i][j]);
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++)
            grid->height[i][j] += grid->speed[i][j];
}
`;

const OUTPUT = `#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "ocean.h"

int output_cell(const char *folder, int step, int i, int j, double height)
{
    char path[256], line[64];
    snprintf(path, sizeof path, "%s/heights.txt", folder);
    int fd = open(path, O_CREAT | O_APPEND | O_WRONLY, 0644);
    if (fd < 0)
        return -1;
    int length = snprintf(line, sizeof line, "%d %d %d %g\\n", step, i, j, height);
    if (write(fd, line, length) != length) {
        close(fd);
        return -1;
    }
    return close(fd);
}
`;

const MAIN = `#include <stdio.h>
#include <stdlib.h>

#include "ocean.h"

int main(int argc, char **argv)
{
    static struct grid grid;
    const char *folder = argc > 1 ? argv[1] : ".";
    int steps = argc > 2 ? atoi(argv[2]) : 4;
    grid_fill(&grid);
    for (int step = 0; step < steps; step++) {
        grid_step(&grid);
        for (int i = 0; i < CELLS; i++)
            for (int j = 0; j < CELLS; j++)
                if (output_cell(folder, step, i, j, grid.height[i][j]) != 0) {
                    perror(folder);
                    return 1;
                }
    }
    printf("%d steps\\n", steps);
    return 0;
}
`;

const MAKEFILE = `CFLAGS = -g -O2 -Wall

ocean: main.o grid.o output.o
\t$(CC) $(CFLAGS) -o $@ main.o grid.o output.o

main.o grid.o output.o: ocean.h

clean:
\trm -f ocean *.o out/*
`;

/** Writes and builds it. */
export function writeOcean(folder) {
  mkdirSync(path.join(folder, 'out'), { recursive: true });
  const files = { 'ocean.h': HEADER, 'grid.c': GRID, 'output.c': OUTPUT, 'main.c': MAIN, Makefile: MAKEFILE };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  execFileSync('make', ['-s'], { cwd: folder });
}
