#include "failure.h"
#include "program.h"
#include "results.h"
#include <errno.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (results != NULL) {
    fprintf(results, "error %d ", current == NULL ? 0 : current->line);
    vfprintf(results, format, arguments);
    fputc('\n', results);
    fclose(results);
  }
  va_end(arguments);
  /* Whoever started mpirun ends it when it does not end by itself. */
  fprintf(stderr, "mpi-replayer: failed\n");
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

void *allocate(size_t bytes) {
  void *allocated = malloc(bytes > 0 ? bytes : 1);
  if (allocated == NULL) fail("no memory for %zu bytes", bytes);
  return allocated;
}

void check_mpi(int code, const char *what) {
  char text[MPI_MAX_ERROR_STRING + 1];
  int length = 0;
  if (code == MPI_SUCCESS) return;
  MPI_Error_string(code, text, &length);
  text[length] = 0;
  for (int i = 0; i < length; i++)
    if (text[i] == '\n') text[i] = ' ';
  fail("%s: %s", what, text);
}

void check_system(long result, const char *what) {
  if (result < 0) fail("%s: %s", what, strerror(errno));
}
