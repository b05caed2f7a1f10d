#include "files.h"
#include "failure.h"
#include "program.h"
#include <stdlib.h>
#include <string.h>

static struct slot *slots;
static size_t slot_count;
static unsigned char *memory;
static size_t memory_size;

struct slot *find_slot(int number) {
  for (size_t i = 0; i < slot_count; i++)
    if (slots[i].is_open && slots[i].number == number) return &slots[i];
  return NULL;
}

struct slot *slot_at(int index, int kind) {
  int number = atoi(operand(index));
  struct slot *found = find_slot(number);
  if (found == NULL) fail("no file is open as %d", number);
  if ((int)found->kind != kind) fail("the file open as %d was opened by another kind of call", number);
  return found;
}

struct slot *new_slot(int number, int kind) {
  size_t i = 0;
  if (find_slot(number) != NULL) fail("a file is open as %d already", number);
  while (i < slot_count && slots[i].is_open) i++;
  if (i == slot_count) {
    slots = realloc(slots, sizeof *slots * ++slot_count);
    if (slots == NULL) fail("no memory for open files");
  }
  memset(&slots[i], 0, sizeof slots[i]);
  slots[i].number = number;
  slots[i].kind = kind;
  slots[i].is_open = 1;
  slots[i].element = MPI_BYTE;
  return &slots[i];
}

void close_slots(void (*close_one)(struct slot *slot)) {
  for (size_t i = 0; i < slot_count; i++)
    if (slots[i].is_open) close_one(&slots[i]);
}

unsigned char *memory_of(size_t bytes) {
  if (bytes > memory_size) {
    free(memory);
    memory = allocate(bytes);
    memory_size = bytes;
    for (size_t i = 0; i < bytes; i++) memory[i] = (unsigned char)(1 + i % 251);
  }
  return memory;
}
