#include "contents.h"
#include "program.h"
#include "ranks.h"
#include "results.h"

#define MOST_PLACES 10

int is_checking;
static long long right, unwritten, wrong, unchecked;
static int named_places;

uint32_t key_of(const char *path) {
  uint32_t key = 0x811c9dc5u;
  for (; *path != 0; path++) key = (key ^ (unsigned char)*path) * 0x01000193u;
  return key;
}

unsigned char content_byte(uint32_t key, uint32_t writer, MPI_Offset at) {
  uint64_t word = (uint64_t)at / 4;
  uint32_t mixed = key ^ ((writer + 1) * 0x9e3779b1u);
  mixed = (mixed ^ (uint32_t)word) * 0x85ebca6bu;
  mixed ^= mixed >> 13;
  mixed = (mixed ^ (uint32_t)(word >> 32)) * 0xc2b2ae35u;
  mixed ^= mixed >> 16;
  unsigned char byte = (unsigned char)(mixed >> (8 * (at % 4)));
  return byte == 0 ? 0xa5 : byte;
}

void check_byte(const struct slot *slot, unsigned char byte, MPI_Offset at) {
  if (byte == 0) {
    unwritten++;
    return;
  }
  for (int writer = 0; writer <= size; writer++)
    if (content_byte(slot->key, (uint32_t)writer, at) == byte) {
      right++;
      return;
    }
  wrong++;
  if (named_places++ < MOST_PLACES) fprintf(results, "place %d %d %lld\n", slot->number, current->line, (long long)at);
}

void prepare(const struct slot *slot, unsigned char *bytes, size_t count, MPI_Offset at) {
  if (!is_checking) return;
  for (size_t i = 0; i < count; i++)
    bytes[i] = slot->appends ? 0 : content_byte(slot->key, (uint32_t)rank, at + (MPI_Offset)i);
}

void examine(const struct slot *slot, const unsigned char *bytes, size_t count, MPI_Offset at) {
  if (!is_checking) return;
  for (size_t i = 0; i < count; i++) check_byte(slot, bytes[i], at + (MPI_Offset)i);
}

void leave_unchecked(long long bytes) { unchecked += bytes; }

void report_contents(void) {
  fprintf(results, "content %lld %lld %lld %lld\n", right, unwritten, wrong, unchecked);
}
