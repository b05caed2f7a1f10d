/* The instructions of this rank. */
#ifndef REPLAYER_PROGRAM_H
#define REPLAYER_PROGRAM_H

#include <stddef.h>

#define MOST_OPERANDS 8
/* Series within each other. */
#define MOST_DEPTH 101

struct instruction {
  char operation[24];
  char *operands[MOST_OPERANDS];
  int count;
  int line;
  /* Of `series`: the line of its `end`. */
  size_t end;
};

extern struct instruction *program;
extern size_t program_length;
/* The one under way; NULL before the first. */
extern const struct instruction *current;

/* Reads them from a file. */
void load(const char *path);
/* Whether the one under way has that name. */
int is(const char *name);
const char *operand(int index);

#endif
