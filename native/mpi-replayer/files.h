/* The files that are open, by the numbers that instructions give them. */
#ifndef REPLAYER_FILES_H
#define REPLAYER_FILES_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

struct pending;

struct slot {
  int number, is_open;
  enum { POSIX, STREAM, MPIIO } kind;
  int descriptor;
  FILE *stream;
  MPI_File file;
  MPI_Datatype element;
  /* Of what is written into it (contents.h). */
  uint32_t key;
  int appends;
  /* Transfers that wait for mpi_wait. */
  struct pending *pending;
};

/* NULL: no file is open by that number. */
struct slot *find_slot(int number);
/* The file that an operand names; it must have been opened by that kind of call. */
struct slot *slot_at(int index, int kind);
struct slot *new_slot(int number, int kind);
/* All that are open, closed by what closes one. */
void close_slots(void (*close_one)(struct slot *slot));
/* Memory for the data of a transfer; it stays what it is until the next. */
unsigned char *memory_of(size_t bytes);

#endif
