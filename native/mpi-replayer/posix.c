#define _GNU_SOURCE
#include "posix.h"
#include "contents.h"
#include "failure.h"
#include "files.h"
#include "operands.h"
#include "results.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

void posix_open(void) {
  char relative[PATH_MAX], path[PATH_MAX];
  int flags = atoi(operand(1));
  place(2, flags & O_CREAT, relative, path);
  struct slot *slot = new_slot(atoi(operand(0)), POSIX);
  double began = MPI_Wtime();
  slot->descriptor = open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0666);
  check_system(slot->descriptor, relative);
  plain(flags & O_CREAT ? 'c' : '-', began);
  slot->key = key_of(relative);
  slot->appends = (flags & O_APPEND) != 0;
}

void posix_transfer(int is_read, int has_offset) {
  struct slot *slot = slot_at(0, POSIX);
  size_t bytes = (size_t)size_at(1, "bytes"), moved = 0;
  MPI_Offset at = has_offset ? (MPI_Offset)size_at(2, "offset") : is_checking ? lseek(slot->descriptor, 0, SEEK_CUR) : 0;
  unsigned char *own = memory_of(bytes);
  if (!is_read) prepare(slot, own, bytes, at);
  double began = MPI_Wtime();
  do {
    size_t rest = bytes - moved;
    off_t here = (off_t)(at + (MPI_Offset)moved);
    ssize_t got = is_read ? (has_offset ? pread(slot->descriptor, own + moved, rest, here) : read(slot->descriptor, own + moved, rest))
                          : (has_offset ? pwrite(slot->descriptor, own + moved, rest, here) : write(slot->descriptor, own + moved, rest));
    check_system(got, current->operation);
    if (got == 0) break;
    moved += (size_t)got;
  } while (moved < bytes);
  measured(current->operation, is_read ? 'r' : 'w', '-', 1, (long long)bytes, (long long)moved, MPI_Wtime() - began);
  if (is_read) examine(slot, own, moved, at);
}

static void close_descriptor(void) {
  struct slot *slot = slot_at(0, POSIX);
  double began = MPI_Wtime();
  check_system(close(slot->descriptor), "close");
  slot->is_open = 0;
  plain('-', began);
}

static void duplicate(void) {
  struct slot *slot = slot_at(0, POSIX);
  int from = slot->descriptor, appends = slot->appends;
  uint32_t key = slot->key;
  struct slot *copy = new_slot(atoi(operand(1)), POSIX);
  copy->descriptor = dup(from);
  check_system(copy->descriptor, "dup");
  copy->key = key;
  copy->appends = appends;
}

static void seek(void) {
  struct slot *slot = slot_at(0, is("seek") ? POSIX : STREAM);
  off_t offset = (off_t)number_at(1);
  int whence = atoi(operand(2));
  double began = MPI_Wtime();
  check_system(is("seek") ? (long)lseek(slot->descriptor, offset, whence) : fseeko(slot->stream, offset, whence), "seek");
  plain('-', began);
}

static void synchronise_file(void) {
  struct slot *slot = find_slot(atoi(operand(0)));
  double began = MPI_Wtime();
  if (slot == NULL) fail("no file is open as %s", operand(0));
  if (slot->kind == MPIIO) check_mpi(MPI_File_sync(slot->file), "sync");
  else {
    if (slot->kind == STREAM && fflush(slot->stream) != 0) fail("sync: %s", strerror(errno));
    int descriptor = slot->kind == STREAM ? fileno(slot->stream) : slot->descriptor;
    check_system(atoi(operand(1)) ? fdatasync(descriptor) : fsync(descriptor), "sync");
  }
  plain('-', began);
}

static void truncate_file(void) {
  struct slot *slot = slot_at(0, POSIX);
  off_t length = (off_t)size_at(1, "length");
  double began = MPI_Wtime();
  check_system(ftruncate(slot->descriptor, length), "truncate");
  plain('-', began);
}

static void lock(void) {
  struct slot *slot = slot_at(0, POSIX);
  int kind = is("unlock") ? LOCK_UN : atoi(operand(1)) ? LOCK_SH : LOCK_EX;
  double began = MPI_Wtime();
  check_system(flock(slot->descriptor, kind), "flock");
  plain('-', began);
}

static void rename_file(void) {
  char relative[PATH_MAX], path[PATH_MAX], other_relative[PATH_MAX], other[PATH_MAX];
  place(0, 0, relative, path);
  place(1, 1, other_relative, other);
  double began = MPI_Wtime();
  check_system(rename(path, other), relative);
  plain('-', began);
}

/* unlink, mkdir, rmdir, stat. */
static void at_path(void) {
  char relative[PATH_MAX], path[PATH_MAX];
  struct stat status;
  place(0, is("mkdir"), relative, path);
  double began = MPI_Wtime();
  long result = is("unlink") ? unlink(path) : is("mkdir") ? mkdir(path, 0777) : is("rmdir") ? rmdir(path) : lstat(path, &status);
  check_system(result, relative);
  plain(is("unlink") ? 'u' : '-', began);
}

void posix_other(void) {
  if (is("close")) close_descriptor();
  else if (is("duplicate")) duplicate();
  else if (is("seek") || is("buf_seek")) seek();
  else if (is("sync")) synchronise_file();
  else if (is("truncate")) truncate_file();
  else if (is("lock") || is("unlock")) lock();
  else if (is("rename")) rename_file();
  else at_path();
}
