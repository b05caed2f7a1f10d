/* Operands of the instruction under way: numbers, lists and paths. */
#ifndef REPLAYER_OPERANDS_H
#define REPLAYER_OPERANDS_H

#include "program.h"

/* The series around the instruction, outermost first, and the iteration that each is in. */
extern int depth;
extern long long iterations[MOST_DEPTH];
/* Ranks touch files below this folder only. */
extern const char *root;

long long number_at(int index);
/* Of something that cannot be negative: `what`. */
long long size_at(int index, const char *what);
/* Of what MPI counts. */
int count_at(int index, const char *what);
/* Numbers separated by `;`. @returns how many. */
int numbers_at(int index, int *values, int most);
/* The place of a path, which has room for PATH_MAX bytes as `relative` has; no part of it may be a symbolic link. */
void place(int index, int makes_folders, char *relative, char *path);

#endif
