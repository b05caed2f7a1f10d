/* Ranks as processes of one machine: they wait for each other in memory that they share. */
#define _GNU_SOURCE
#include "../datatypes.h"
#include "../failure.h"
#include "../mpi-io.h"
#include "../operands.h"
#include "../ranks.h"
#include "../results.h"
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define MOST_RANKS 4096
/* Seconds that a task waits for another before it says so and gives up. */
#define LONGEST_WAIT 600

int rank, size;

/* What a rank has been sent and has not taken yet. */
enum kind { TOKEN, ARRIVAL, RELEASE, KINDS };
static struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed[MOST_RANKS];
} *shared;
static uint32_t *sent;

static uint32_t *sent_to(enum kind kind, int from, int to) {
  return &sent[((size_t)kind * (size_t)size + (size_t)to) * (size_t)size + (size_t)from];
}

static void *shared_memory(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) return memory;
  fprintf(stderr, "mpi-replayer: no memory for %d ranks\n", size);
  exit(2);
}

static void share(void) {
  pthread_mutexattr_t of_mutex;
  pthread_condattr_t of_changes;
  shared = shared_memory(sizeof *shared);
  sent = shared_memory(KINDS * (size_t)size * (size_t)size * sizeof *sent);
  pthread_mutexattr_init(&of_mutex);
  pthread_mutexattr_setpshared(&of_mutex, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&shared->mutex, &of_mutex);
  pthread_condattr_init(&of_changes);
  pthread_condattr_setpshared(&of_changes, PTHREAD_PROCESS_SHARED);
  for (int i = 0; i < size; i++) pthread_cond_init(&shared->changed[i], &of_changes);
}

/* The first that fails ends all others. */
static void wait_for_all(const pid_t *ranks) {
  int status, failed = 0;
  for (int left = size; left > 0; left--) {
    if (wait(&status) < 0) break;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    if (!failed)
      for (int i = 0; i < size; i++) kill(ranks[i], SIGKILL);
    failed = 1;
  }
  exit(failed);
}

int MPI_Init(int *count, char ***arguments) {
  static pid_t ranks[MOST_RANKS];
  const char *wanted = getenv("REPLAYER_RANKS");
  (void)count, (void)arguments;
  size = wanted == NULL ? 1 : atoi(wanted);
  if (size < 1 || size > MOST_RANKS) {
    fprintf(stderr, "mpi-replayer: 1 to %d ranks are possible\n", MOST_RANKS);
    exit(2);
  }
  share();
  for (rank = 0; rank < size; rank++) {
    ranks[rank] = fork();
    if (ranks[rank] == 0) {
#ifdef __linux__
      prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
      return MPI_SUCCESS;
    }
    if (ranks[rank] > 0) continue;
    fprintf(stderr, "mpi-replayer: %d ranks cannot be started: %s\n", size, strerror(errno));
    for (int i = 0; i < rank; i++) kill(ranks[i], SIGKILL);
    exit(2);
  }
  wait_for_all(ranks);
  return MPI_SUCCESS;
}

int MPI_Finalize(void) { return MPI_SUCCESS; }

void MPI_Abort(MPI_Comm communicator, int status) {
  (void)communicator;
  exit(status);
}

int MPI_Error_string(int code, char *text, int *length) {
  *length = snprintf(text, MPI_MAX_ERROR_STRING, "error %d", code);
  return MPI_SUCCESS;
}

double MPI_Wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- waiting for each other ---- */

static void send(enum kind kind, int to) {
  pthread_mutex_lock(&shared->mutex);
  (*sent_to(kind, rank, to))++;
  pthread_cond_signal(&shared->changed[to]);
  pthread_mutex_unlock(&shared->mutex);
}

static void receive(enum kind kind, int from, const char *what) {
  struct timespec until;
  uint32_t *number = sent_to(kind, from, rank);
  int late = 0;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += LONGEST_WAIT;
  pthread_mutex_lock(&shared->mutex);
  while (*number == 0 && late != ETIMEDOUT)
    late = pthread_cond_timedwait(&shared->changed[rank], &shared->mutex, &until);
  if (*number > 0) late = 0, (*number)--;
  pthread_mutex_unlock(&shared->mutex);
  if (late) fail("%s has not come for %d s: a deadlock?", what, LONGEST_WAIT);
}

/* Members of a barrier: the lowest waits for all others, and then lets them go on. */
static void meet(const int *members, int count) {
  if (rank != members[0]) {
    send(ARRIVAL, members[0]);
    receive(RELEASE, members[0], "a barrier");
    return;
  }
  for (int i = 1; i < count; i++) receive(ARRIVAL, members[i], "a barrier");
  for (int i = 1; i < count; i++) send(RELEASE, members[i]);
}

static void meet_at(int index) {
  const char *text = operand(index);
  int members[MOST_RANKS], count = 0, is_member = 0;
  if (strcmp(text, "self") == 0) return;
  if (strcmp(text, "world") == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    return;
  }
  while (*text != 0) {
    if (count == MOST_RANKS) fail("more than %d ranks are named", MOST_RANKS);
    members[count] = (int)strtol(text, (char **)&text, 10);
    if (members[count] < 0 || members[count] >= size) fail("rank %d of %d is named", members[count], size);
    is_member |= members[count++] == rank;
    if (*text == ',') text++;
  }
  if (!is_member) fail("rank %d is none of those named", rank);
  meet(members, count);
}

int MPI_Barrier(MPI_Comm communicator) {
  static int all[MOST_RANKS];
  (void)communicator;
  for (int i = 0; i < size; i++) all[i] = i;
  meet(all, size);
  return MPI_SUCCESS;
}

void ranks_begin(void) {}

void synchronise(void) {
  double began = MPI_Wtime();
  if (is("sleep")) {
    double seconds = strtod(operand(0), NULL);
    struct timespec time = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
    while (nanosleep(&time, &time) != 0 && errno == EINTR) continue;
  } else if (is("barrier")) {
    meet_at(0);
  } else {
    char what[64];
    long long peer = size_at(0, "peer");
    if (peer >= size || peer == rank) fail("%lld is no other task of %d", peer, size);
    snprintf(what, sizeof what, "a token of task %lld", peer);
    if (is("send_sync")) send(TOKEN, (int)peer);
    else receive(TOKEN, (int)peer, what);
  }
  measured(current->operation, '-', '-', 0, 0, 0, MPI_Wtime() - began);
}

/* ---- what only MPI can do; whoever writes the instructions asks for none of it ---- */

static void refuse(void) __attribute__((noreturn));
static void refuse(void) { fail("%s needs MPI", current->operation); }

void mpi_open(void) { refuse(); }
void mpi_transfer(int is_read) { (void)is_read, refuse(); }
void mpi_other(void) { refuse(); }
void wait_for(struct slot *slot) { (void)slot, refuse(); }
void define_type(void) { refuse(); }
int MPI_File_close(MPI_File *file) { (void)file, refuse(); }
int MPI_File_sync(MPI_File file) { (void)file, refuse(); }
