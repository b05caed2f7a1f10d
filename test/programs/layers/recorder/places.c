#include "places.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 8192 };
static struct place places[MAX];
static int count;

const struct place *place_of(uint64_t address) {
  for (int i = 0; i < count; i++)
    if (places[i].address == address) return &places[i];
  return NULL;
}

void ask_for_place(uint64_t address) {
  if (!place_of(address) && count < MAX) places[count++].address = address;
}

int find_places(const char *program) {
  char *command = malloc(strlen(program) + 64 + 20 * (size_t)count);
  int used = sprintf(command, "addr2line -f -e '%s'", program);
  for (int i = 0; i < count; i++) used += sprintf(command + used, " %lx", (unsigned long)places[i].address);
  FILE *answers = popen(command, "r");
  free(command);
  if (!answers) return 0;
  char function[1024], place[1024];
  for (int i = 0; i < count && fgets(function, sizeof function, answers) && fgets(place, sizeof place, answers); i++) {
    char *colon = strrchr(place, ':');
    if (!colon) continue;
    *colon = 0;
    snprintf(places[i].function, sizeof places[i].function, "%.*s", (int)strcspn(function, "\n"), function);
    snprintf(places[i].file, sizeof places[i].file, "%.255s", place);
    places[i].line = atoi(colon + 1); /* "?" is 0 */
  }
  return pclose(answers) == 0;
}
