#include "results.h"
#include "failure.h"
#include "program.h"
#include <mpi.h>
#include <stdint.h>
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
/* Places of measures plus one, by their hash; a power of two, at most half of them taken. */
static size_t *places, place_count;
/* Most calls are like the one before. */
static size_t last_measure;
static long long kept_durations;

static int is_of(const struct measure *one, const char *operation, char direction, long long asked) {
  return one->asked == asked && one->direction == direction && strcmp(one->operation, operation) == 0;
}

static size_t place_of(const char *operation, char direction, long long asked) {
  uint64_t hash = (uint64_t)asked * 0x9e3779b97f4a7c15u + (unsigned char)direction;
  for (const char *letter = operation; *letter != 0; letter++) hash = (hash ^ (unsigned char)*letter) * 0x100000001b3u;
  size_t place = (size_t)(hash >> 32) & (place_count - 1);
  for (; places[place] != 0; place = (place + 1) & (place_count - 1)) {
    if (is_of(&measures[places[place] - 1], operation, direction, asked)) break;
  }
  return place;
}

/* Twice the room, before the first and whenever half of it is taken. */
static void make_room(void) {
  size_t room = place_count == 0 ? 64 : 2 * place_count;
  free(places);
  places = calloc(room, sizeof *places);
  measures = realloc(measures, sizeof *measures * room);
  if (places == NULL || measures == NULL) fail("no memory for measures");
  place_count = room;
  for (size_t i = 0; i < measure_count; i++)
    places[place_of(measures[i].operation, measures[i].direction, measures[i].asked)] = i + 1;
}

void measured(const char *operation, char direction, char effect, int is_io, long long asked, long long moved,
              double seconds) {
  if (effect != '-' && kept_durations++ < MOST_KEPT_DURATIONS) {
    fprintf(results, "call %s %c %c %d %lld 1 %lld %.9f\n", operation, direction, effect, is_io, asked, moved, seconds);
    return;
  }
  int is_new = 0;
  if (2 * measure_count >= place_count) make_room();
  size_t i = last_measure;
  if (i >= measure_count || !is_of(&measures[i], operation, direction, asked)) {
    size_t place = place_of(operation, direction, asked);
    is_new = places[place] == 0;
    if (is_new) places[place] = ++measure_count;
    i = last_measure = places[place] - 1;
  }
  if (is_new) {
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
