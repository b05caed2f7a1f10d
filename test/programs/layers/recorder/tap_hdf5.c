/* HDF5: files, groups, data sets and attributes. */
#include "tap.h"
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

enum { OBJECTS = 4096, NAME = 300 };
static struct { hid_t id; int handle; char file[NAME]; } objects[OBJECTS];
static int object_count;

/* Functions that the recorder asks itself; the preloaded library is not linked with HDF5. */
#define ASK(name) ((__typeof__(name) *)dlsym(RTLD_DEFAULT, #name))

static int index_of(hid_t id) {
  for (int i = object_count - 1; i >= 0; i--)
    if (objects[i].id == id) return i;
  return -1;
}
static int handle_of(hid_t id) {
  int index = index_of(id);
  return index < 0 ? NO_HANDLE : objects[index].handle;
}
static void remember(hid_t id, int handle, const char *file) {
  if (id < 0 || object_count == OBJECTS) return;
  objects[object_count].id = id, objects[object_count].handle = handle;
  snprintf(objects[object_count++].file, NAME, "%s", file);
}

#define FILE_CALL(NAME, PARAMETERS, ARGUMENTS, ACCESS, CREATION)                                                       \
  hid_t NAME PARAMETERS {                                                                                              \
    if (!tap_wants(path)) return REAL(NAME) ARGUMENTS;                                                                 \
    tap_enter(#NAME, "HDF5", METADATA);                                                                                \
    int handle = tap_new_handle("HDF5", 'W', path);                                                                    \
    tap_push(handle);                                                                                                  \
    hid_t result = REAL(NAME) ARGUMENTS;                                                                               \
    tap_pop();                                                                                                         \
    if (result >= 0) tap_log("Cr %d %d %d 0", handle, ACCESS, CREATION);                                               \
    remember(result, handle, path);                                                                                    \
    tap_leave();                                                                                                       \
    return result;                                                                                                     \
  }
#undef H5Fcreate
#undef H5Fopen
FILE_CALL(H5Fcreate, (const char *path, unsigned flags, hid_t create, hid_t access), (path, flags, create, access), 2,
          1 | (flags & H5F_ACC_TRUNC ? 2 : 0) | (flags & H5F_ACC_EXCL ? 8 : 0))
FILE_CALL(H5Fopen, (const char *path, unsigned flags, hid_t access), (path, flags, access), flags & H5F_ACC_RDWR ? 2 : 0, 0)

/* Objects within a file: groups, data sets, attributes. */
#define OBJECT_CALL(FUNCTION, PARAMETERS, ARGUMENTS, CREATION)                                                         \
  hid_t FUNCTION PARAMETERS {                                                                                          \
    int parent = index_of(place);                                                                                      \
    if (parent < 0) return REAL(FUNCTION) ARGUMENTS;                                                                   \
    char path[2 * NAME];                                                                                               \
    snprintf(path, sizeof path, "%s#%s", objects[parent].file, name);                                                  \
    tap_enter(#FUNCTION, "HDF5", METADATA);                                                                            \
    tap_push(objects[parent].handle);                                                                                  \
    hid_t result = REAL(FUNCTION) ARGUMENTS;                                                                           \
    if (result >= 0) {                                                                                                 \
      int handle = tap_new_handle("HDF5", 'W', path);                                                                  \
      tap_log("Cr %d 2 %d 0", handle, CREATION);                                                                       \
      remember(result, handle, objects[parent].file);                                                                  \
    }                                                                                                                  \
    tap_pop();                                                                                                         \
    tap_leave();                                                                                                       \
    return result;                                                                                                     \
  }
OBJECT_CALL(H5Gcreate2, (hid_t place, const char *name, hid_t links, hid_t create, hid_t access), (place, name, links, create, access), 1)
OBJECT_CALL(H5Gopen2, (hid_t place, const char *name, hid_t access), (place, name, access), 0)
OBJECT_CALL(H5Dcreate2, (hid_t place, const char *name, hid_t type, hid_t space, hid_t links, hid_t create, hid_t access),
            (place, name, type, space, links, create, access), 1)
OBJECT_CALL(H5Dopen2, (hid_t place, const char *name, hid_t access), (place, name, access), 0)
OBJECT_CALL(H5Acreate2, (hid_t place, const char *name, hid_t type, hid_t space, hid_t create, hid_t access),
            (place, name, type, space, create, access), 1)
OBJECT_CALL(H5Aopen, (hid_t place, const char *name, hid_t access), (place, name, access), 0)

#define CLOSE_CALL(FUNCTION)                                                                                           \
  herr_t FUNCTION(hid_t id) {                                                                                          \
    int index = index_of(id);                                                                                          \
    if (index < 0) return REAL(FUNCTION)(id);                                                                          \
    tap_enter(#FUNCTION, "HDF5", METADATA);                                                                            \
    tap_push(objects[index].handle);                                                                                   \
    herr_t result = REAL(FUNCTION)(id);                                                                                \
    tap_pop();                                                                                                         \
    tap_log("De %d", objects[index].handle);                                                                           \
    objects[index].id = -1;                                                                                            \
    tap_leave();                                                                                                       \
    return result;                                                                                                     \
  }
CLOSE_CALL(H5Fclose)
CLOSE_CALL(H5Gclose)
CLOSE_CALL(H5Dclose)
CLOSE_CALL(H5Aclose)

herr_t H5Fflush(hid_t id, H5F_scope_t scope) {
  int handle = handle_of(id);
  if (handle == NO_HANDLE) return REAL(H5Fflush)(id, scope);
  tap_enter("H5Fflush", "HDF5", DATA);
  tap_begin(handle, FLUSH, BLOCKING, 0, 0, NO_OFFSET);
  tap_push(handle);
  herr_t result = REAL(H5Fflush)(id, scope);
  tap_pop();
  tap_end(handle, result < 0 ? -1 : 0, 0);
  tap_leave();
  return result;
}

static size_t selected_bytes(hid_t set, hid_t type, hid_t memory, hid_t file) {
  hid_t space = file ? file : memory ? memory : ASK(H5Dget_space)(set);
  size_t bytes = ASK(H5Sget_select_npoints)(space) * ASK(H5Tget_size)(type);
  if (!file && !memory) ASK(H5Sclose)(space);
  return bytes;
}
static int transfer_flags(hid_t properties) {
  H5FD_mpio_xfer_t mode = H5FD_MPIO_INDEPENDENT;
  if (properties != H5P_DEFAULT) ASK(H5Pget_dxpl_mpio)(properties, &mode);
  return mode == H5FD_MPIO_COLLECTIVE ? COLLECTIVE : BLOCKING;
}

#define TRANSFER(FUNCTION, MODE, FLAGS, BYTES, PARAMETERS, ARGUMENTS)                                                  \
  herr_t FUNCTION PARAMETERS {                                                                                         \
    int handle = handle_of(id);                                                                                        \
    if (handle == NO_HANDLE) return REAL(FUNCTION) ARGUMENTS;                                                          \
    size_t bytes = BYTES;                                                                                              \
    tap_enter(#FUNCTION, "HDF5", DATA);                                                                                \
    tap_begin(handle, MODE, FLAGS, bytes, 0, NO_OFFSET);                                                               \
    tap_push(handle);                                                                                                  \
    herr_t result = REAL(FUNCTION) ARGUMENTS;                                                                          \
    tap_pop();                                                                                                         \
    tap_end(handle, result < 0 ? -1 : (long long)bytes, 0);                                                            \
    tap_leave();                                                                                                       \
    return result;                                                                                                     \
  }
TRANSFER(H5Dwrite, WRITE, transfer_flags(properties), selected_bytes(id, type, memory, file),
         (hid_t id, hid_t type, hid_t memory, hid_t file, hid_t properties, const void *from),
         (id, type, memory, file, properties, from))
TRANSFER(H5Dread, READ, transfer_flags(properties), selected_bytes(id, type, memory, file),
         (hid_t id, hid_t type, hid_t memory, hid_t file, hid_t properties, void *to), (id, type, memory, file, properties, to))
TRANSFER(H5Awrite, WRITE, BLOCKING, ASK(H5Aget_storage_size)(id), (hid_t id, hid_t type, const void *from), (id, type, from))
TRANSFER(H5Aread, READ, BLOCKING, ASK(H5Aget_storage_size)(id), (hid_t id, hid_t type, void *to), (id, type, to))
