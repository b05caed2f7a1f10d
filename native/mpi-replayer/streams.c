#define _GNU_SOURCE
#include "streams.h"
#include "contents.h"
#include "failure.h"
#include "files.h"
#include "operands.h"
#include "results.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state;

void streams_begin(int seed) { random_state = (uint64_t)seed; }

void stream_open(void) {
  char relative[PATH_MAX], path[PATH_MAX];
  const char *mode = operand(1);
  int makes = strpbrk(mode, "wa") != NULL;
  place(2, makes, relative, path);
  struct slot *slot = new_slot(atoi(operand(0)), STREAM);
  double began = MPI_Wtime();
  slot->stream = fopen(path, mode);
  if (slot->stream == NULL) fail("%s: %s", relative, strerror(errno));
  plain(makes ? 'c' : '-', began);
  slot->key = key_of(relative);
  slot->appends = strchr(mode, 'a') != NULL;
}

void stream_close(void) {
  struct slot *slot = slot_at(0, STREAM);
  double began = MPI_Wtime();
  if (fclose(slot->stream) != 0) fail("fclose: %s", strerror(errno));
  slot->is_open = 0;
  plain('-', began);
}

void stream_transfer(int is_read) {
  struct slot *slot = slot_at(0, STREAM);
  size_t bytes = (size_t)size_at(1, "bytes");
  unsigned char *own = memory_of(bytes);
  int is_random = is("buf_read_random");
  double began;
  off_t at = ftello(slot->stream);
  if (!is_read) prepare(slot, own, bytes, (MPI_Offset)at);
  began = MPI_Wtime();
  if (is_random) {
    check_system(fseeko(slot->stream, 0, SEEK_END), "buf_read_random");
    off_t end = ftello(slot->stream) - (off_t)bytes;
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    at = end > 0 ? (off_t)((random_state >> 11) % (uint64_t)(end + 1)) : 0;
    check_system(fseeko(slot->stream, at, SEEK_SET), "buf_read_random");
  }
  size_t moved = is_read ? fread(own, 1, bytes, slot->stream) : fwrite(own, 1, bytes, slot->stream);
  if (ferror(slot->stream)) fail("%s: %s", current->operation, strerror(errno));
  measured(current->operation, is_read ? 'r' : 'w', '-', 1, (long long)bytes, (long long)moved, MPI_Wtime() - began);
  if (is_read) examine(slot, own, moved, (MPI_Offset)at);
}
