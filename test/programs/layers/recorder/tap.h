/* The recorder of the layer programs: a library to preload that notes every call of HDF5, MPI-IO, MPI and POSIX that a
 * program makes, with the place in the program that made it. One text file per rank, tap.<rank>.log, which to_otf2.c
 * turns into an OTF2 archive. Only files whose path contains $TAP_MATCH are recorded.
 *
 * Lines of the log: "<nanoseconds since 1970> <kind> <fields>"
 *   S id address…              a call stack: return addresses within the program, innermost first
 *   E name paradigm role stack enter a library call (stack -1: within another one)
 *   U address stack            enter a function of the program
 *   L                          leave what was entered last
 *   H id paradigm comm parent name   a handle: path, or path#name for one within a file; "=id" for a duplicate
 *   Cr De Du Se Ch Dl Be Te Is Co Ca Ac Re Tr CB CE MS MR   the OTF2 records of the same names
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

/* The function that the program would have called without the recorder. */
#define REAL(name)                                                                                                     \
  ({                                                                                                                   \
    static __typeof__(name) *real_;                                                                                    \
    if (!real_) real_ = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);                                                   \
    real_;                                                                                                             \
  })

/* What a call does, as OTF2's region roles have it. */
enum tap_role { DATA = 'd', METADATA = 'm', BARRIER = 'b', ONE_TO_ALL = 'o', ALL_TO_ONE = 'i', ALL_TO_ALL = 'a', POINT_TO_POINT = 'p', OTHER = 'f' };
enum tap_mode { READ = 0, WRITE = 1, FLUSH = 2 };
enum { BLOCKING = 0, NON_BLOCKING = 1, COLLECTIVE = 2 };
enum { NO_HANDLE = -1, NO_OFFSET = -1 };

void tap_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
void tap_enter(const char *name, const char *paradigm, enum tap_role role);
void tap_leave(void);
/* Whether the call now under way was made by another recorded library call. */
int tap_is_nested(void);
/* Calls are passed through unseen between the two: those that the recorder makes itself. */
void tap_pause(void);
void tap_resume(void);
int tap_is_paused(void);

int tap_wants(const char *path);
/* Defines a handle, child of the one whose call is under way. comm: 'W' all ranks together, 'S' each rank alone. */
int tap_new_handle(const char *paradigm, char comm, const char *name);
/* The handle whose call is under way until tap_pop. */
void tap_push(int handle);
void tap_pop(void);
long tap_new_id(void);
void tap_begin(int handle, enum tap_mode mode, int flags, size_t bytes, long id, long long offset);
/* result < 0: it failed. */
void tap_end(int handle, long long result, long id);
void tap_set_rank(int rank, int size);
