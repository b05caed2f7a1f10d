#include "results.h"
#include "failure.h"
#include "program.h"
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define MOST_KEPT_DURATIONS 100000

/* What back ends are told: calls of one operation and size. */
struct measure {
  char operation[24];
  char direction, effect;
  int is_io;
  long long asked, times, moved;
  double seconds;
};

FILE *results;
static struct measure *measures;
static size_t measure_count;
static long long kept_durations;

void measured(const char *operation, char direction, char effect, int is_io, long long asked, long long moved,
              double seconds) {
  size_t i;
  if (effect != '-' && kept_durations++ < MOST_KEPT_DURATIONS) {
    fprintf(results, "call %s %c %c %d %lld 1 %lld %.9f\n", operation, direction, effect, is_io, asked, moved, seconds);
    return;
  }
  for (i = measure_count; i-- > 0;) {
    struct measure *one = &measures[i];
    if (one->asked == asked && one->direction == direction && strcmp(one->operation, operation) == 0) break;
  }
  if (i == (size_t)-1) {
    if ((measure_count & (measure_count - 1)) == 0) {
      measures = realloc(measures, sizeof *measures * (measure_count == 0 ? 1 : 2 * measure_count));
      if (measures == NULL) fail("no memory for measures");
    }
    i = measure_count++;
    memset(&measures[i], 0, sizeof measures[i]);
    snprintf(measures[i].operation, sizeof measures[i].operation, "%s", operation);
    measures[i].direction = direction;
    measures[i].effect = effect;
    measures[i].is_io = is_io;
    measures[i].asked = asked;
  }
  measures[i].times++;
  measures[i].moved += moved;
  measures[i].seconds += seconds;
}

void plain(char effect, double began) {
  measured(current->operation, '-', effect, 1, 0, 0, MPI_Wtime() - began);
}

void report_measures(void) {
  for (size_t i = 0; i < measure_count; i++) {
    struct measure *one = &measures[i];
    fprintf(results, "call %s %c %c %d %lld %lld %lld %.9f\n", one->operation, one->direction, one->effect, one->is_io,
            one->asked, one->times, one->moved, one->seconds);
  }
}
