#include "mpi-io.h"
#include "contents.h"
#include "datatypes.h"
#include "failure.h"
#include "operands.h"
#include "ranks.h"
#include "results.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that wait for mpi_wait. */
struct pending {
  MPI_Request request;
  void *memory;
  MPI_Datatype type;
  int elements;
  /* Where each packed byte stands in the file, for contents; NULL where it is not known. */
  MPI_Offset *places;
  int is_read, is_split;
  long long bytes;
  struct pending *next;
};

void mpi_open(void) {
  char relative[PATH_MAX], path[PATH_MAX];
  int mode = 0, bits = atoi(operand(1));
  static const int modes[] = {MPI_MODE_RDONLY, MPI_MODE_WRONLY, MPI_MODE_RDWR, MPI_MODE_CREATE, MPI_MODE_EXCL, MPI_MODE_APPEND,
                              MPI_MODE_DELETE_ON_CLOSE, MPI_MODE_UNIQUE_OPEN, MPI_MODE_SEQUENTIAL};
  for (int i = 0; i < 9; i++)
    if (bits & (1 << i)) mode |= modes[i];
  place(3, (mode & MPI_MODE_CREATE) != 0, relative, path);
  MPI_Comm communicator = communicator_at(2);
  struct slot *slot = new_slot(atoi(operand(0)), MPIIO);
  double began = MPI_Wtime();
  check_mpi(MPI_File_open(communicator, path, mode, MPI_INFO_NULL, &slot->file), relative);
  plain((mode & MPI_MODE_CREATE) != 0 ? 'c' : '-', began);
  slot->key = key_of(relative);
  slot->appends = (mode & (MPI_MODE_APPEND | MPI_MODE_SEQUENTIAL)) != 0;
}

/* Where each byte of a transfer stands in the file, in the order of the data; NULL where it cannot be said. */
static MPI_Offset *places_of(const struct slot *slot, MPI_Offset begin, long long bytes) {
  int width;
  MPI_Aint bound, extent;
  MPI_Offset offset = 0;
  MPI_Type_size(slot->element, &width);
  MPI_Type_get_extent(slot->element, &bound, &extent);
  if (slot->appends || width == 0 || extent != width || bytes % width != 0) return NULL;
  MPI_Offset *places = allocate(sizeof *places * (size_t)bytes);
  for (long long i = 0; i < bytes; i++) {
    if (i % width == 0) check_mpi(MPI_File_get_byte_offset(slot->file, begin + i / width, &offset), "view");
    places[i] = offset + i % width;
  }
  return places;
}

static void finish_transfer(struct slot *slot, struct pending *one) {
  int bytes, position = 0;
  if (is_checking && one->is_read) {
    MPI_Pack_size(one->elements, one->type, MPI_COMM_SELF, &bytes);
    unsigned char *packed = allocate((size_t)bytes);
    check_mpi(MPI_Pack(one->memory, one->elements, one->type, packed, bytes, &position, MPI_COMM_SELF), "content");
    if (one->places == NULL) leave_unchecked(one->bytes);
    else
      for (long long i = 0; i < one->bytes; i++) check_byte(slot, packed[i], one->places[i]);
    free(packed);
  }
  free(one->places);
  free(one->memory);
  free(one);
}

static struct pending *new_transfer(const struct slot *slot, int is_read, const char *position, MPI_Offset offset) {
  struct pending *one = allocate(sizeof *one);
  MPI_Aint bound, extent, true_bound, true_extent;
  int width, at = 0;
  memset(one, 0, sizeof *one);
  one->is_read = is_read;
  one->elements = count_at(5, "count");
  one->type = type_named(operand(6));
  MPI_Type_size(one->type, &width);
  MPI_Type_get_extent(one->type, &bound, &extent);
  MPI_Type_get_true_extent(one->type, &true_bound, &true_extent);
  if (bound < 0 || true_bound < 0 || extent < 0) fail("data of a type that begins before its place");
  one->bytes = (long long)one->elements * width;
  if (one->bytes > INT_MAX) fail("%lld bytes in one transfer: %d are the most here", one->bytes, INT_MAX);
  size_t needed = (size_t)extent * (size_t)one->elements + (size_t)(true_bound + true_extent) + 1;
  one->memory = allocate(needed);
  memset(one->memory, is_checking ? 0 : 1 + rank % 251, needed);
  if (!is_checking) return one;
  if (*position == 'i') check_mpi(MPI_File_get_position(slot->file, &offset), "position");
  if (*position != 's') one->places = places_of(slot, offset, one->bytes);
  if (is_read || one->places == NULL) return one;
  unsigned char *packed = allocate((size_t)one->bytes);
  for (long long i = 0; i < one->bytes; i++) packed[i] = content_byte(slot->key, (uint32_t)rank, one->places[i]);
  check_mpi(MPI_Unpack(packed, (int)one->bytes, &at, one->memory, one->elements, one->type, MPI_COMM_SELF), "content");
  free(packed);
  return one;
}

#define TRANSFER(suffix, arguments) (is_read ? MPI_File_read##suffix arguments : MPI_File_write##suffix arguments)
#define ITRANSFER(suffix, arguments) (is_read ? MPI_File_iread##suffix arguments : MPI_File_iwrite##suffix arguments)

void mpi_transfer(int is_read) {
  struct slot *slot = slot_at(0, MPIIO);
  const char *position = operand(1);
  int blocking = atoi(operand(2)), collective = atoi(operand(3));
  MPI_Offset offset = (MPI_Offset)size_at(4, "offset");
  struct pending *one = new_transfer(slot, is_read, position, offset);
  MPI_File f = slot->file;
  void *m = one->memory;
  int n = one->elements, code;
  MPI_Datatype t = one->type;
  MPI_Status status;
  double began = MPI_Wtime();
  if (blocking && *position == 'e') code = collective ? TRANSFER(_at_all, (f, offset, m, n, t, &status)) : TRANSFER(_at, (f, offset, m, n, t, &status));
  else if (blocking && *position == 'i') code = collective ? TRANSFER(_all, (f, m, n, t, &status)) : TRANSFER(, (f, m, n, t, &status));
  else if (blocking) code = collective ? TRANSFER(_ordered, (f, m, n, t, &status)) : TRANSFER(_shared, (f, m, n, t, &status));
  else if (*position == 'e') code = collective ? ITRANSFER(_at_all, (f, offset, m, n, t, &one->request)) : ITRANSFER(_at, (f, offset, m, n, t, &one->request));
  else if (*position == 'i') code = collective ? ITRANSFER(_all, (f, m, n, t, &one->request)) : ITRANSFER(, (f, m, n, t, &one->request));
  else if (!collective) code = ITRANSFER(_shared, (f, m, n, t, &one->request));
  else {
    one->is_split = 1;
    code = is_read ? MPI_File_read_ordered_begin(f, m, n, t) : MPI_File_write_ordered_begin(f, m, n, t);
  }
  double seconds = MPI_Wtime() - began;
  check_mpi(code, current->operation);
  if (blocking) {
    int got = 0;
    MPI_Get_elements(&status, MPI_BYTE, &got);
    long long moved = got == MPI_UNDEFINED || got < 0 ? one->bytes : got;
    if (is_read && moved < one->bytes) one->bytes = moved;
    measured(current->operation, is_read ? 'r' : 'w', '-', 1, (long long)one->bytes, moved, seconds);
    finish_transfer(slot, one);
    return;
  }
  measured(current->operation, is_read ? 'r' : 'w', '-', 1, one->bytes, one->bytes, seconds);
  one->next = slot->pending;
  slot->pending = one;
}

void wait_for(struct slot *slot) {
  struct pending *next;
  for (struct pending *one = slot->pending; one != NULL; one = next) {
    next = one->next;
    MPI_Status status;
    if (!one->is_split) await(&one->request, "what mpi_wait waits for");
    else
      check_mpi(one->is_read ? MPI_File_read_ordered_end(slot->file, one->memory, &status)
                             : MPI_File_write_ordered_end(slot->file, one->memory, &status), "mpi_wait");
    finish_transfer(slot, one);
  }
  slot->pending = NULL;
}

void mpi_other(void) {
  char relative[PATH_MAX], path[PATH_MAX];
  double began = MPI_Wtime();
  if (is("mpi_fclose")) {
    struct slot *slot = slot_at(0, MPIIO);
    wait_for(slot);
    check_mpi(MPI_File_close(&slot->file), "mpi_fclose");
    slot->is_open = 0;
  } else if (is("mpi_fdelete")) {
    place(0, 0, relative, path);
    began = MPI_Wtime();
    check_mpi(MPI_File_delete(path, MPI_INFO_NULL), relative);
    plain('u', began);
    return;
  } else if (is("mpi_set_view")) {
    struct slot *slot = slot_at(0, MPIIO);
    slot->element = type_named(operand(2));
    MPI_Offset displacement = (MPI_Offset)size_at(1, "displacement");
    check_mpi(MPI_File_set_view(slot->file, displacement, slot->element, type_named(operand(3)), "native", MPI_INFO_NULL), "mpi_set_view");
  } else
    wait_for(slot_at(0, MPIIO));
  plain('-', began);
}
