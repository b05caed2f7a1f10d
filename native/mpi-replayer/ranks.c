#define _GNU_SOURCE
#include "ranks.h"
#include "failure.h"
#include "operands.h"
#include "results.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_COMMUNICATORS 1000
/* Seconds that a task waits for another before it says so and gives up. */
#define LONGEST_WAIT 600.0

int rank, size;
static struct { char *ranks; MPI_Comm communicator; } communicators[MOST_COMMUNICATORS];
static int communicator_count;
static MPI_Comm tokens;

void ranks_begin(void) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &tokens);
}

MPI_Comm communicator_at(int index) {
  const char *ranks = operand(index);
  int members[1000], count = 0, is_member = 0;
  MPI_Group all, some;
  if (strcmp(ranks, "world") == 0) return MPI_COMM_WORLD;
  if (strcmp(ranks, "self") == 0) return MPI_COMM_SELF;
  for (int i = 0; i < communicator_count; i++)
    if (strcmp(communicators[i].ranks, ranks) == 0) return communicators[i].communicator;
  for (const char *text = ranks; *text != 0;) {
    if (count == 1000) fail("more than 1000 ranks are named");
    members[count] = (int)strtol(text, (char **)&text, 10);
    if (members[count] >= size) fail("rank %d of %d is named", members[count], size);
    is_member |= members[count++] == rank;
    if (*text == ',') text++;
  }
  if (!is_member) fail("rank %d is none of those named", rank);
  if (communicator_count == MOST_COMMUNICATORS) fail("more than %d groups of ranks", MOST_COMMUNICATORS);
  check_mpi(MPI_Comm_group(MPI_COMM_WORLD, &all), "ranks");
  check_mpi(MPI_Group_incl(all, count, members, &some), "ranks");
  communicators[communicator_count].ranks = strdup(ranks);
  check_mpi(MPI_Comm_create_group(MPI_COMM_WORLD, some, 0, &communicators[communicator_count].communicator), "ranks");
  MPI_Group_free(&all);
  MPI_Group_free(&some);
  return communicators[communicator_count++].communicator;
}

void await(MPI_Request *request, const char *what) {
  double began = MPI_Wtime();
  int done = 0;
  while (check_mpi(MPI_Test(request, &done, MPI_STATUS_IGNORE), what), !done) {
    double waited = MPI_Wtime() - began;
    if (waited > LONGEST_WAIT) fail("%s has not come for %.0f s: a deadlock?", what, LONGEST_WAIT);
    /* Short waits are measured exactly, long ones leave the processor to others. */
    if (waited > 0.01) usleep(100);
  }
}

void synchronise(void) {
  double began = MPI_Wtime();
  char what[64];
  if (is("sleep")) {
    double seconds = strtod(operand(0), NULL);
    struct timespec time = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
    while (nanosleep(&time, &time) != 0 && errno == EINTR) continue;
  } else if (is("barrier")) {
    MPI_Request request;
    check_mpi(MPI_Ibarrier(communicator_at(0), &request), "barrier");
    await(&request, "a barrier");
  } else {
    long long peer = size_at(0, "peer");
    if (peer >= size || peer == rank) fail("%lld is no other task of %d", peer, size);
    snprintf(what, sizeof what, "a token of task %lld", peer);
    MPI_Request request;
    if (is("send_sync")) check_mpi(MPI_Isend(NULL, 0, MPI_BYTE, (int)peer, 0, tokens, &request), what);
    else check_mpi(MPI_Irecv(NULL, 0, MPI_BYTE, (int)peer, 0, tokens, &request), what);
    await(&request, what);
  }
  measured(current->operation, '-', '-', 0, 0, 0, MPI_Wtime() - began);
}
