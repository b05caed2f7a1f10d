/* MPI-IO, and what the ranks tell each other. */
#include "tap.h"
#include <mpi.h>
#include <stdio.h>

enum { FILES = 256, REQUESTS = 1024 };
static struct { MPI_File file; int handle; } files[FILES];
static int file_count;
static struct { MPI_Request request; int handle; long id; size_t bytes; } requests[REQUESTS];
static int rank, size;

static int handle_of(MPI_File file) {
  for (int i = file_count - 1; i >= 0; i--)
    if (files[i].file == file) return files[i].handle;
  return NO_HANDLE;
}

static size_t bytes_of(int count, MPI_Datatype type) {
  int bytes;
  PMPI_Type_size(type, &bytes);
  return (size_t)count * bytes;
}

/* Position in the file, in bytes, of an offset that counts elementary types of the view. */
static long long position(MPI_File file, MPI_Offset offset) {
  MPI_Offset bytes;
  return PMPI_File_get_byte_offset(file, offset, &bytes) == MPI_SUCCESS ? bytes : NO_OFFSET;
}
static long long own_position(MPI_File file) {
  MPI_Offset offset;
  return PMPI_File_get_position(file, &offset) == MPI_SUCCESS ? position(file, offset) : NO_OFFSET;
}

static int access_mode(int mode) { return mode & MPI_MODE_RDONLY ? 0 : mode & MPI_MODE_WRONLY ? 1 : 2; }

int MPI_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file) {
  if (!tap_wants(path)) return PMPI_File_open(comm, path, mode, info, file);
  int ranks;
  PMPI_Comm_size(comm, &ranks);
  tap_enter("MPI_File_open", "MPI-IO", METADATA);
  int handle = tap_new_handle("MPI-IO", ranks == size && size > 1 ? 'W' : 'S', path);
  tap_push(handle);
  int result = PMPI_File_open(comm, path, mode, info, file);
  tap_pop();
  if (result == MPI_SUCCESS && file_count < FILES) {
    files[file_count].file = *file;
    files[file_count++].handle = handle;
    tap_log("Cr %d %d %d %d", handle, access_mode(mode), (mode & MPI_MODE_CREATE ? 1 : 0) | (mode & MPI_MODE_EXCL ? 8 : 0),
            (mode & MPI_MODE_APPEND ? 2 : 0) | (mode & MPI_MODE_DELETE_ON_CLOSE ? 256 : 0));
  }
  tap_leave();
  return result;
}

int MPI_File_close(MPI_File *file) {
  int handle = handle_of(*file);
  if (handle == NO_HANDLE) return PMPI_File_close(file);
  MPI_File closed = *file;
  tap_enter("MPI_File_close", "MPI-IO", METADATA);
  tap_push(handle);
  int result = PMPI_File_close(file);
  tap_pop();
  tap_log("De %d", handle);
  for (int i = 0; i < file_count; i++)
    if (files[i].file == closed) files[i].file = MPI_FILE_NULL;
  tap_leave();
  return result;
}

/* Calls on an open file that OTF2 has no record for: they are entered and left. */
#define ON_FILE(NAME, ROLE, PARAMETERS, ARGUMENTS)                                                                     \
  int MPI_File_##NAME PARAMETERS {                                                                                     \
    int handle = handle_of(file);                                                                                      \
    if (handle == NO_HANDLE) return PMPI_File_##NAME ARGUMENTS;                                                        \
    tap_enter("MPI_File_" #NAME, "MPI-IO", ROLE);                                                                      \
    tap_push(handle);                                                                                                  \
    int result = PMPI_File_##NAME ARGUMENTS;                                                                           \
    tap_pop();                                                                                                         \
    tap_leave();                                                                                                       \
    return result;                                                                                                     \
  }
ON_FILE(set_view, METADATA, (MPI_File file, MPI_Offset start, MPI_Datatype element, MPI_Datatype type, const char *form, MPI_Info info),
        (file, start, element, type, form, info))
ON_FILE(set_size, METADATA, (MPI_File file, MPI_Offset bytes), (file, bytes))
ON_FILE(get_size, METADATA, (MPI_File file, MPI_Offset *bytes), (file, bytes))
ON_FILE(preallocate, METADATA, (MPI_File file, MPI_Offset bytes), (file, bytes))
ON_FILE(set_atomicity, METADATA, (MPI_File file, int flag), (file, flag))

int MPI_File_sync(MPI_File file) {
  int handle = handle_of(file);
  if (handle == NO_HANDLE) return PMPI_File_sync(file);
  tap_enter("MPI_File_sync", "MPI-IO", DATA);
  tap_begin(handle, FLUSH, COLLECTIVE, 0, 0, NO_OFFSET);
  tap_push(handle);
  int result = PMPI_File_sync(file);
  tap_pop();
  tap_end(handle, result == MPI_SUCCESS ? 0 : -1, 0);
  tap_leave();
  return result;
}

int MPI_File_seek(MPI_File file, MPI_Offset offset, int whence) {
  int handle = handle_of(file);
  int result = PMPI_File_seek(file, offset, whence);
  if (handle == NO_HANDLE) return result;
  tap_enter("MPI_File_seek", "MPI-IO", METADATA);
  tap_log("Se %d %lld %d %lld", handle, (long long)offset, whence == MPI_SEEK_SET ? 0 : whence == MPI_SEEK_CUR ? 1 : 2,
          own_position(file));
  tap_leave();
  return result;
}

#define AT (MPI_File file, MPI_Offset offset, void *to, int count, MPI_Datatype type, MPI_Status *status)
#define FROM_AT (MPI_File file, MPI_Offset offset, const void *to, int count, MPI_Datatype type, MPI_Status *status)
#define NEXT (MPI_File file, void *to, int count, MPI_Datatype type, MPI_Status *status)
#define FROM_NEXT (MPI_File file, const void *to, int count, MPI_Datatype type, MPI_Status *status)

#define TRANSFER(NAME, MODE, FLAGS, PARAMETERS, ARGUMENTS, POSITION)                                                   \
  int MPI_File_##NAME PARAMETERS {                                                                                     \
    int handle = handle_of(file), moved = 0;                                                                           \
    MPI_Status own;                                                                                                    \
    if (handle == NO_HANDLE) return PMPI_File_##NAME ARGUMENTS;                                                        \
    if (status == MPI_STATUS_IGNORE) status = &own;                                                                    \
    tap_enter("MPI_File_" #NAME, "MPI-IO", DATA);                                                                      \
    tap_begin(handle, MODE, FLAGS, bytes_of(count, type), 0, POSITION);                                                \
    tap_push(handle);                                                                                                  \
    int result = PMPI_File_##NAME ARGUMENTS;                                                                           \
    tap_pop();                                                                                                         \
    PMPI_Get_count(status, MPI_BYTE, &moved);                                                                          \
    tap_end(handle, result == MPI_SUCCESS ? moved : -1, 0);                                                            \
    tap_leave();                                                                                                       \
    return result;                                                                                                     \
  }
TRANSFER(read_at, READ, BLOCKING, AT, (file, offset, to, count, type, status), position(file, offset))
TRANSFER(read_at_all, READ, COLLECTIVE, AT, (file, offset, to, count, type, status), position(file, offset))
TRANSFER(write_at, WRITE, BLOCKING, FROM_AT, (file, offset, to, count, type, status), position(file, offset))
TRANSFER(write_at_all, WRITE, COLLECTIVE, FROM_AT, (file, offset, to, count, type, status), position(file, offset))
TRANSFER(read, READ, BLOCKING, NEXT, (file, to, count, type, status), own_position(file))
TRANSFER(read_all, READ, COLLECTIVE, NEXT, (file, to, count, type, status), own_position(file))
TRANSFER(write, WRITE, BLOCKING, FROM_NEXT, (file, to, count, type, status), own_position(file))
TRANSFER(write_all, WRITE, COLLECTIVE, FROM_NEXT, (file, to, count, type, status), own_position(file))

static void remember(MPI_Request request, int handle, long id, size_t bytes) {
  for (int i = 0; i < REQUESTS; i++) {
    if (requests[i].id) continue;
    requests[i].request = request, requests[i].handle = handle, requests[i].id = id, requests[i].bytes = bytes;
    return;
  }
}
#define ASYNCHRONOUS(NAME, MODE, CONST)                                                                                \
  int MPI_File_##NAME(MPI_File file, MPI_Offset offset, CONST void *to, int count, MPI_Datatype type, MPI_Request *request) { \
    int handle = handle_of(file);                                                                                      \
    if (handle == NO_HANDLE) return PMPI_File_##NAME(file, offset, to, count, type, request);                          \
    long id = tap_new_id();                                                                                            \
    tap_enter("MPI_File_" #NAME, "MPI-IO", DATA);                                                                      \
    tap_begin(handle, MODE, NON_BLOCKING, bytes_of(count, type), id, position(file, offset));                          \
    tap_push(handle);                                                                                                  \
    int result = PMPI_File_##NAME(file, offset, to, count, type, request);                                             \
    tap_pop();                                                                                                         \
    if (result == MPI_SUCCESS) {                                                                                       \
      tap_log("Is %d %ld", handle, id);                                                                                \
      remember(*request, handle, id, bytes_of(count, type));                                                           \
    } else tap_end(handle, -1, id);                                                                                    \
    tap_leave();                                                                                                       \
    return result;                                                                                                     \
  }
ASYNCHRONOUS(iread_at, READ, )
ASYNCHRONOUS(iwrite_at, WRITE, const)

static void completed(MPI_Request request, int is_complete) {
  for (int i = 0; i < REQUESTS; i++) {
    if (!requests[i].id || requests[i].request != request) continue;
    if (!is_complete) tap_log("Te %d %ld", requests[i].handle, requests[i].id);
    else {
      tap_end(requests[i].handle, requests[i].bytes, requests[i].id);
      requests[i].id = 0;
    }
    return;
  }
}
int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  MPI_Request waited = *request;
  tap_enter("MPI_Wait", "MPI", POINT_TO_POINT);
  int result = PMPI_Wait(request, status);
  completed(waited, 1);
  tap_leave();
  return result;
}
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  MPI_Request tested = *request;
  tap_enter("MPI_Test", "MPI", POINT_TO_POINT);
  int result = PMPI_Test(request, flag, status);
  completed(tested, *flag);
  tap_leave();
  return result;
}

/* Collective communication: operation numbers of OTF2. */
#define TOGETHER(NAME, ROLE, OPERATION, ROOT, SENT, RECEIVED, PARAMETERS, ARGUMENTS)                                   \
  int MPI_##NAME PARAMETERS {                                                                                          \
    int ranks;                                                                                                         \
    PMPI_Comm_size(comm, &ranks);                                                                                      \
    if (tap_is_paused() || ranks != size) return PMPI_##NAME ARGUMENTS;                                                \
    tap_enter("MPI_" #NAME, "MPI", ROLE);                                                                              \
    tap_log("CB");                                                                                                     \
    int result = PMPI_##NAME ARGUMENTS;                                                                                \
    tap_log("CE %d %d %zu %zu", OPERATION, ROOT, (size_t)(SENT), (size_t)(RECEIVED));                                  \
    tap_leave();                                                                                                       \
    return result;                                                                                                     \
  }
TOGETHER(Barrier, BARRIER, 0, -1, 0, 0, (MPI_Comm comm), (comm))
TOGETHER(Bcast, ONE_TO_ALL, 1, root, rank == root ? bytes_of(count, type) * ranks : 0, bytes_of(count, type),
         (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm), (data, count, type, root, comm))
TOGETHER(Gather, ALL_TO_ONE, 2, root, bytes_of(count, type), rank == root ? bytes_of(each, into) * ranks : 0,
         (const void *from, int count, MPI_Datatype type, void *to, int each, MPI_Datatype into, int root, MPI_Comm comm),
         (from, count, type, to, each, into, root, comm))
TOGETHER(Allreduce, ALL_TO_ALL, 11, -1, bytes_of(count, type) * ranks, bytes_of(count, type) * ranks,
         (const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm),
         (from, to, count, type, operation, comm))
TOGETHER(Reduce, ALL_TO_ONE, 12, root, bytes_of(count, type), rank == root ? bytes_of(count, type) * ranks : 0,
         (const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation, int root, MPI_Comm comm),
         (from, to, count, type, operation, root, comm))

int MPI_Sendrecv(const void *from, int count, MPI_Datatype type, int to, int tag, void *into, int room, MPI_Datatype kind,
                 int source, int expected, MPI_Comm comm, MPI_Status *status) {
  MPI_Status own;
  int received;
  if (status == MPI_STATUS_IGNORE) status = &own;
  tap_enter("MPI_Sendrecv", "MPI", POINT_TO_POINT);
  if (to != MPI_PROC_NULL) tap_log("MS %d %d %zu", to, tag, bytes_of(count, type));
  int result = PMPI_Sendrecv(from, count, type, to, tag, into, room, kind, source, expected, comm, status);
  PMPI_Get_count(status, MPI_BYTE, &received);
  if (source != MPI_PROC_NULL) tap_log("MR %d %d %d", status->MPI_SOURCE, status->MPI_TAG, received);
  tap_leave();
  return result;
}

/* What costs little: recorded where the program itself calls it, as it asks for the same again and again. */
#define SMALL(NAME, PARAMETERS, ARGUMENTS)                                                                             \
  int MPI_##NAME PARAMETERS {                                                                                          \
    if (tap_is_paused() || tap_is_nested()) return PMPI_##NAME ARGUMENTS;                                              \
    tap_enter("MPI_" #NAME, "MPI", OTHER);                                                                             \
    int result = PMPI_##NAME ARGUMENTS;                                                                                \
    tap_leave();                                                                                                       \
    return result;                                                                                                     \
  }
SMALL(Comm_rank, (MPI_Comm comm, int *to), (comm, to))
SMALL(Comm_size, (MPI_Comm comm, int *to), (comm, to))
SMALL(Type_create_subarray,
      (int dimensions, const int *sizes, const int *parts, const int *starts, int order, MPI_Datatype old, MPI_Datatype *made),
      (dimensions, sizes, parts, starts, order, old, made))
SMALL(Type_commit, (MPI_Datatype * type), (type))
SMALL(Type_free, (MPI_Datatype * type), (type))

int MPI_Init(int *count, char ***arguments) {
  tap_enter("MPI_Init", "MPI", OTHER);
  int result = PMPI_Init(count, arguments);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  tap_set_rank(rank, size);
  tap_leave();
  return result;
}
int MPI_Finalize(void) {
  tap_enter("MPI_Finalize", "MPI", OTHER);
  int result = PMPI_Finalize();
  tap_leave();
  return result;
}
