/* What ends a replay before its time. */
#ifndef REPLAYER_FAILURE_H
#define REPLAYER_FAILURE_H

#include <stddef.h>

/* Says what stopped the replay, and ends all ranks. */
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* Fails when a function of MPI did, or one of the system. */
void check_mpi(int code, const char *what);
void check_system(long result, const char *what);
/* Fails when there is no memory. */
void *allocate(size_t bytes);

#endif
