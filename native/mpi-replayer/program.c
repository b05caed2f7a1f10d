#define _GNU_SOURCE
#include "program.h"
#include "failure.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct instruction *program;
size_t program_length;
const struct instruction *current;

void load(const char *path) {
  FILE *file = fopen(path, "r");
  char *line = NULL;
  size_t capacity = 0, open_series[MOST_DEPTH], room = 0;
  int open_count = 0, line_number = 0;
  if (file == NULL) fail("%s: %s", path, strerror(errno));
  while (getline(&line, &capacity, file) > 0) {
    char *rest = line, *word;
    struct instruction one;
    memset(&one, 0, sizeof one);
    one.line = ++line_number;
    if ((word = strsep(&rest, " \n")) == NULL || *word == 0) continue;
    snprintf(one.operation, sizeof one.operation, "%s", word);
    while (one.count < MOST_OPERANDS && (word = strsep(&rest, " \n")) != NULL && *word != 0) one.operands[one.count++] = strdup(word);
    if (program_length == room) {
      room = room == 0 ? 1024 : 2 * room;
      program = realloc(program, room * sizeof *program);
      if (program == NULL) fail("no memory for the instructions");
    }
    if (strcmp(one.operation, "series") == 0) {
      if (open_count == MOST_DEPTH) fail("series are nested too deep");
      open_series[open_count++] = program_length;
    } else if (strcmp(one.operation, "end") == 0) {
      if (open_count == 0) fail("an end without a series");
      program[open_series[--open_count]].end = program_length;
    }
    program[program_length++] = one;
  }
  if (open_count > 0) fail("a series without an end");
  free(line);
  fclose(file);
}

int is(const char *name) { return strcmp(current->operation, name) == 0; }

const char *operand(int index) {
  if (index >= current->count) fail("an operand is missing");
  return current->operands[index];
}
