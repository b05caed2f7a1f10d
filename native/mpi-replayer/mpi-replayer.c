/*
 * Does the operations of one rank of a replay program: MPI-IO, POSIX and C streams, from a text that
 * src/replay/mpi/instructions.ts writes, and measures them. mpirun starts it once for each rank; without MPI (`alone`) it
 * forks them itself:
 *
 *     mpi-replayer FOLDER INSTRUCTIONS RESULTS
 *
 * reads INSTRUCTIONS.RANK, touches files below FOLDER only, and writes RESULTS.RANK. A line is an operation with its
 * operands; numbers are in postfix notation with the iterations of the series around them as $0, $1, … (outermost first);
 * paths are pieces of text with %XX escapes and numbers.
 */
#define _GNU_SOURCE
#include "contents.h"
#include "datatypes.h"
#include "failure.h"
#include "files.h"
#include "mpi-io.h"
#include "operands.h"
#include "posix.h"
#include "ranks.h"
#include "results.h"
#include "streams.h"
#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <signal.h>
#endif
#include <unistd.h>

static long long operations;

static void perform(void) {
  operations++;
  /* The commonest first. */
  if (is("write") || is("read")) posix_transfer(*current->operation == 'r', 0);
  else if (is("pwrite") || is("pread")) posix_transfer(current->operation[1] == 'r', 1);
  else if (strncmp(current->operation, "mpi_", 4) == 0) {
    if (is("mpi_fopen")) mpi_open();
    else if (is("mpi_read") || is("mpi_write")) mpi_transfer(is("mpi_read"));
    else mpi_other();
  } else if (is("send_sync") || is("recv_sync") || is("barrier") || is("sleep")) synchronise();
  else if (is("open")) posix_open();
  else if (is("fopen")) stream_open();
  else if (is("fclose")) stream_close();
  else if (is("buf_write")) stream_transfer(0);
  else if (is("buf_read") || is("buf_read_random")) stream_transfer(1);
  else posix_other();
}

/* From one instruction to before another. */
static void run(size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    current = &program[i];
    if (strcmp(program[i].operation, "series") != 0) {
      perform();
      continue;
    }
    long long times = number_at(0);
    if (times < 0) fail("a series cannot be repeated %lld times", times);
    if (depth == MOST_DEPTH) fail("series are nested too deep");
    int own = depth++;
    for (iterations[own] = 0; iterations[own] < times; iterations[own]++) run(i + 1, program[i].end);
    depth--;
    i = program[i].end;
  }
}

/* ---- begin and end ---- */

static void close_one(struct slot *slot) {
  if (slot->kind == POSIX) close(slot->descriptor);
  else if (slot->kind == STREAM) {
    if (fclose(slot->stream) != 0) fail("fclose at the end: %s", strerror(errno));
  } else {
    wait_for(slot);
    MPI_File_close(&slot->file);
  }
}

/* Does what stands in front of the operations. @returns the first of them. */
static size_t prepare_operations(void) {
  size_t first = 0;
  for (; first < program_length; first++) {
    current = &program[first];
    if (is("check")) is_checking = 1;
    else if (is("type")) define_type();
    else break;
  }
  return first;
}

int main(int count, char **arguments) {
  char path[PATH_MAX];
#ifdef __linux__
  /* A rank does not outlive what started it. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  MPI_Init(&count, &arguments);
  if (count != 4) {
    fprintf(stderr, "usage: mpi-replayer FOLDER INSTRUCTIONS RESULTS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  ranks_begin();
  streams_begin(rank + 1);
  root = arguments[1];
  snprintf(path, sizeof path, "%s.%d", arguments[3], rank);
  results = fopen(path, "w");
  if (results == NULL) fail("%s: %s", path, strerror(errno));
  snprintf(path, sizeof path, "%s.%d", arguments[2], rank);
  load(path);
  size_t first = prepare_operations();
  check_mpi(MPI_Barrier(MPI_COMM_WORLD), "start");
  double began = MPI_Wtime();
  run(first, program_length);
  close_slots(close_one);
  double seconds = MPI_Wtime() - began;
  report_measures();
  report_contents();
  fprintf(results, "done %lld %.9f\n", operations, seconds);
  if (fclose(results) != 0) {
    results = NULL;
    fail("the results cannot be written");
  }
  MPI_Finalize();
  return 0;
}
