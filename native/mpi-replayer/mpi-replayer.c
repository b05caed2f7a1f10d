/*
 * Does the operations of one rank of a replay program: MPI-IO, POSIX and C streams, from a text that
 * src/replay/mpi/instructions.ts writes, and measures them. mpirun starts it once for each rank:
 *
 *     mpi-replayer FOLDER INSTRUCTIONS RESULTS
 *
 * reads INSTRUCTIONS.RANK, touches files below FOLDER only, and writes RESULTS.RANK. A line is an operation with its
 * operands; numbers are in postfix notation with the iterations of the series around them as $0, $1, … (outermost first);
 * paths are pieces of text with %XX escapes and numbers.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <signal.h>
#endif
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MOST_OPERANDS 8
#define MOST_DEPTH 101
#define MOST_TYPES 1000
#define MOST_COMMUNICATORS 1000
#define MOST_KEPT_DURATIONS 100000
#define MOST_PLACES 10
/* Seconds that a task waits for another before it says so and gives up. */
#define LONGEST_WAIT 600.0
#define LARGEST_NUMBER 9007199254740991LL

struct instruction {
  char operation[24];
  char *operands[MOST_OPERANDS];
  int count;
  int line;
  /* Of `series`: the line of its `end`. */
  size_t end;
};

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

struct slot {
  int number, is_open;
  enum { POSIX, STREAM, MPIIO } kind;
  int descriptor;
  FILE *stream;
  MPI_File file;
  MPI_Datatype element;
  uint32_t key;
  int appends;
  struct pending *pending;
};

/* What back ends are told: calls of one operation and size. */
struct measure {
  char operation[24];
  char direction, effect;
  int is_io;
  long long asked, times, moved;
  double seconds;
};

static int rank, size;
static const char *root, *results_path;
static FILE *results;
static int is_checking;
static struct instruction *program;
static size_t program_length, current;
static long long iterations[MOST_DEPTH];
static int depth;
static long long operations;
static struct slot *slots;
static size_t slot_count;
static struct measure *measures;
static size_t measure_count;
static long long kept_durations;
static long long content_right, content_unwritten, content_wrong, content_unchecked;
static int named_places;
static unsigned char *memory;
static size_t memory_size;
static struct { char *name; MPI_Datatype type; } types[MOST_TYPES];
static int type_count;
static struct { char *ranks; MPI_Comm communicator; } communicators[MOST_COMMUNICATORS];
static int communicator_count;
static MPI_Comm tokens;
static uint64_t random_state;

static void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Says what stopped the replay, and ends all ranks. */
static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (results != NULL) {
    fprintf(results, "error %d ", current < program_length ? program[current].line : 0);
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

static void *allocate(size_t bytes) {
  void *allocated = malloc(bytes > 0 ? bytes : 1);
  if (allocated == NULL) fail("no memory for %zu bytes", bytes);
  return allocated;
}

static void check_mpi(int code, const char *what) {
  char text[MPI_MAX_ERROR_STRING + 1];
  int length = 0;
  if (code == MPI_SUCCESS) return;
  MPI_Error_string(code, text, &length);
  text[length] = 0;
  for (int i = 0; i < length; i++)
    if (text[i] == '\n') text[i] = ' ';
  fail("%s: %s", what, text);
}

static void check_system(long result, const char *what) {
  if (result < 0) fail("%s: %s", what, strerror(errno));
}

/* ---- numbers and paths ---- */

static long long bounded(__int128 value) {
  if (value > LARGEST_NUMBER || value < -(__int128)LARGEST_NUMBER) fail("a number is beyond 2^53 - 1");
  return (long long)value;
}

static long long number(const char *text) {
  long long stack[200];
  int top = 0;
  while (*text != 0) {
    if (top >= 199) fail("a number is too long");
    if (*text == '$') {
      long loop = strtol(text + 1, (char **)&text, 10);
      if (loop < 0 || loop >= depth) fail("there is no series %ld around", loop);
      stack[top++] = iterations[loop];
    } else if ((*text >= '0' && *text <= '9') || (*text == '-' && text[1] >= '0' && text[1] <= '9')) {
      stack[top++] = strtoll(text, (char **)&text, 10);
    } else if (*text == 'n') {
      if (top < 1) fail("a number is damaged");
      stack[top - 1] = -stack[top - 1];
      text++;
    } else {
      if (top < 2) fail("a number is damaged");
      long long left = stack[top - 2], right = stack[top - 1];
      if ((*text == '/' || *text == '%') && right == 0) fail("a number is divided by 0");
      switch (*text) {
        case '+': left = bounded((__int128)left + right); break;
        case '-': left = bounded((__int128)left - right); break;
        case '*': left = bounded((__int128)left * right); break;
        case '/': left = left / right; break;
        case '%': left = left % right; break;
        default: fail("a number is damaged");
      }
      top--;
      stack[top - 1] = left;
      text++;
    }
    if (*text == ',') text++;
  }
  if (top != 1) fail("a number is damaged");
  return stack[0];
}

static const char *operand(int index) {
  if (index >= program[current].count) fail("an operand is missing");
  return program[current].operands[index];
}

static long long number_at(int index) { return number(operand(index)); }

static long long size_at(int index, const char *what) {
  long long value = number_at(index);
  if (value < 0) fail("%s is %lld: it cannot be negative", what, value);
  return value;
}

static int count_at(int index, const char *what) {
  long long value = size_at(index, what);
  if (value > INT_MAX) fail("%s is %lld: MPI counts to %d", what, value, INT_MAX);
  return (int)value;
}

static int hexadecimal(char digit) { return digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10; }

/* Pieces of a path: `t` and text, or `n`, digits, `:` and a number; separated by `|`. Relative to the folder. */
static void relative_path(const char *text, char *path) {
  size_t length = 0;
  while (*text != 0) {
    if (length > PATH_MAX - 64) fail("a path is too long");
    if (*text == 't') {
      for (text++; *text != 0 && *text != '|' && length < PATH_MAX - 64; text++) {
        if (*text == '%') {
          path[length++] = (char)(hexadecimal(text[1]) * 16 + hexadecimal(text[2]));
          text += 2;
        } else
          path[length++] = *text;
      }
    } else {
      char own[1024];
      long digits = strtol(text + 1, (char **)&text, 10);
      size_t its = strcspn(text, "|");
      if (*text != ':' || its >= sizeof own || digits > 20) fail("a path is damaged");
      memcpy(own, text + 1, its - 1);
      own[its - 1] = 0;
      length += (size_t)sprintf(path + length, "%0*lld", (int)digits, number(own));
      text += its;
    }
    if (*text == '|') text++;
  }
  path[length] = 0;
}

/* The place of a path; no part of it may be a symbolic link. */
static void place(int index, int makes_folders, char *relative, char *path) {
  struct stat status;
  relative_path(operand(index), relative);
  if (snprintf(path, PATH_MAX, "%s/%s", root, relative) >= PATH_MAX) fail("a path is too long");
  for (char *end = path + strlen(root) + 1; (end = strchr(end, '/')) != NULL; end++) {
    *end = 0;
    int missing = lstat(path, &status) != 0;
    if (missing && makes_folders && errno == ENOENT && (mkdir(path, 0777) == 0 || errno == EEXIST))
      missing = lstat(path, &status) != 0;
    if (!missing && S_ISLNK(status.st_mode)) fail("%s leads through a symbolic link, which a replay does not follow", relative);
    *end = '/';
  }
  if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode)) fail("%s is a symbolic link, which a replay does not follow", relative);
}

/* ---- contents: as src/replay/run/content.ts makes them ---- */

static uint32_t key_of(const char *path) {
  uint32_t key = 0x811c9dc5u;
  for (; *path != 0; path++) key = (key ^ (unsigned char)*path) * 0x01000193u;
  return key;
}

static unsigned char content_byte(uint32_t key, uint32_t writer, MPI_Offset at) {
  uint64_t word = (uint64_t)at / 4;
  uint32_t mixed = key ^ ((writer + 1) * 0x9e3779b1u);
  mixed = (mixed ^ (uint32_t)word) * 0x85ebca6bu;
  mixed ^= mixed >> 13;
  mixed = (mixed ^ (uint32_t)(word >> 32)) * 0xc2b2ae35u;
  mixed ^= mixed >> 16;
  unsigned char byte = (unsigned char)(mixed >> (8 * (at % 4)));
  return byte == 0 ? 0xa5 : byte;
}

static void check_byte(const struct slot *slot, unsigned char byte, MPI_Offset at) {
  if (byte == 0) {
    content_unwritten++;
    return;
  }
  for (int writer = 0; writer <= size; writer++)
    if (content_byte(slot->key, (uint32_t)writer, at) == byte) {
      content_right++;
      return;
    }
  content_wrong++;
  if (named_places++ < MOST_PLACES) fprintf(results, "place %d %d %lld\n", slot->number, program[current].line, (long long)at);
}

/* ---- measures ---- */

static void measured(const char *operation, char direction, char effect, int is_io, long long asked, long long moved,
                     double seconds) {
  size_t i;
  if (effect != '-' && kept_durations++ < MOST_KEPT_DURATIONS) {
    fprintf(results, "call %s %c %c %d %lld 1 %lld %.9f\n", operation, direction, effect, is_io, asked, moved, seconds);
    return;
  }
  for (i = measure_count; i-- > 0;) {
    struct measure *one = &measures[i];
    if (one->asked == asked && one->direction == direction && strcmp(one->operation, operation) == 0) break;
  }
  if (i == (size_t)-1) {
    if ((measure_count & (measure_count - 1)) == 0) {
      measures = realloc(measures, sizeof *measures * (measure_count == 0 ? 1 : 2 * measure_count));
      if (measures == NULL) fail("no memory for measures");
    }
    i = measure_count++;
    memset(&measures[i], 0, sizeof measures[i]);
    snprintf(measures[i].operation, sizeof measures[i].operation, "%s", operation);
    measures[i].direction = direction;
    measures[i].effect = effect;
    measures[i].is_io = is_io;
    measures[i].asked = asked;
  }
  measures[i].times++;
  measures[i].moved += moved;
  measures[i].seconds += seconds;
}

static void plain(char effect, double began) {
  measured(program[current].operation, '-', effect, 1, 0, 0, MPI_Wtime() - began);
}

/* ---- slots ---- */

static struct slot *find_slot(int number) {
  for (size_t i = 0; i < slot_count; i++)
    if (slots[i].is_open && slots[i].number == number) return &slots[i];
  return NULL;
}

static struct slot *slot_at(int index, int kind) {
  int number = atoi(operand(index));
  struct slot *found = find_slot(number);
  if (found == NULL) fail("no file is open as %d", number);
  if ((int)found->kind != kind) fail("the file open as %d was opened by another kind of call", number);
  return found;
}

static struct slot *new_slot(int number, int kind) {
  size_t i = 0;
  if (find_slot(number) != NULL) fail("a file is open as %d already", number);
  while (i < slot_count && slots[i].is_open) i++;
  if (i == slot_count) {
    slots = realloc(slots, sizeof *slots * ++slot_count);
    if (slots == NULL) fail("no memory for open files");
  }
  memset(&slots[i], 0, sizeof slots[i]);
  slots[i].number = number;
  slots[i].kind = kind;
  slots[i].is_open = 1;
  slots[i].element = MPI_BYTE;
  return &slots[i];
}

static unsigned char *memory_of(size_t bytes) {
  if (bytes > memory_size) {
    free(memory);
    memory = allocate(bytes);
    memory_size = bytes;
    for (size_t i = 0; i < bytes; i++) memory[i] = (unsigned char)(1 + i % 251);
  }
  return memory;
}

/* ---- datatypes and communicators ---- */

static MPI_Datatype type_named(const char *name) {
  static const struct { const char *name; MPI_Datatype type; } basic[] = {
      {"MPI_BYTE", MPI_BYTE},       {"MPI_CHAR", MPI_CHAR},     {"MPI_SHORT", MPI_SHORT},
      {"MPI_INT", MPI_INT},         {"MPI_LONG", MPI_LONG},     {"MPI_LONG_LONG", MPI_LONG_LONG},
      {"MPI_FLOAT", MPI_FLOAT},     {"MPI_DOUBLE", MPI_DOUBLE}, {"MPI_INT8_T", MPI_INT8_T},
      {"MPI_INT16_T", MPI_INT16_T}, {"MPI_INT32_T", MPI_INT32_T}, {"MPI_INT64_T", MPI_INT64_T},
      {"MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX}};
  for (int i = 0; i < type_count; i++)
    if (strcmp(types[i].name, name) == 0) return types[i].type;
  for (size_t i = 0; i < sizeof basic / sizeof *basic; i++)
    if (strcmp(basic[i].name, name) == 0) return basic[i].type;
  fail("there is no datatype %s", name);
}

/* Numbers separated by `;`. @returns how many. */
static int numbers_at(int index, int *values, int most) {
  const char *text = operand(index);
  int count = 0;
  while (*text != 0) {
    char own[1024];
    size_t length = strcspn(text, ";");
    if (count == most || length >= sizeof own) fail("a list is too long");
    memcpy(own, text, length);
    own[length] = 0;
    long long value = number(own);
    if (value < INT_MIN || value > INT_MAX) fail("%lld is too large for a datatype", value);
    values[count++] = (int)value;
    text += length + (text[length] == ';');
  }
  return count;
}

/* type NAME OF KIND numbers… */
static void define_type(void) {
  int first[1000], second[1000], third[1000];
  const char *kind = operand(2);
  MPI_Datatype of = type_named(operand(1)), made = MPI_DATATYPE_NULL;
  if (type_count == MOST_TYPES) fail("more than %d datatypes", MOST_TYPES);
  if (strcmp(kind, "contiguous") == 0) check_mpi(MPI_Type_contiguous(count_at(3, "count"), of, &made), kind);
  else if (strcmp(kind, "vector") == 0)
    check_mpi(MPI_Type_vector(count_at(3, "count"), count_at(4, "blocklength"), (int)number_at(5), of, &made), kind);
  else if (strcmp(kind, "subarray") == 0) {
    int dimensions = numbers_at(3, first, 1000);
    if (numbers_at(4, second, 1000) != dimensions || numbers_at(5, third, 1000) != dimensions) fail("lists of different length");
    for (int i = 0; i < dimensions; i++)
      if (first[i] < 1 || second[i] < 1 || third[i] < 0 || third[i] > first[i] - second[i])
        fail("a part of %d from %d does not fit into %d", second[i], third[i], first[i]);
    check_mpi(MPI_Type_create_subarray(dimensions, first, second, third, MPI_ORDER_C, of, &made), kind);
  } else if (strcmp(kind, "indexed") == 0) {
    int blocks = numbers_at(3, first, 1000);
    if (numbers_at(4, second, 1000) != blocks) fail("lists of different length");
    for (int i = 0; i < blocks; i++)
      if (first[i] < 0) fail("a block of %d elements", first[i]);
    check_mpi(MPI_Type_indexed(blocks, first, second, of, &made), kind);
  } else
    check_mpi(MPI_Type_create_resized(of, (MPI_Aint)number_at(3), (MPI_Aint)size_at(4, "extent"), &made), kind);
  check_mpi(MPI_Type_commit(&made), kind);
  types[type_count].name = strdup(operand(0));
  types[type_count++].type = made;
}

/* `world`, `self`, or ranks separated by commas. Whoever is in it asks for it at the same place. */
static MPI_Comm communicator_at(int index) {
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

/* Waits for a request, and gives up when nothing comes. */
static void await(MPI_Request *request, const char *what) {
  double began = MPI_Wtime();
  int done = 0;
  while (check_mpi(MPI_Test(request, &done, MPI_STATUS_IGNORE), what), !done) {
    double waited = MPI_Wtime() - began;
    if (waited > LONGEST_WAIT) fail("%s has not come for %.0f s: a deadlock?", what, LONGEST_WAIT);
    /* Short waits are measured exactly, long ones leave the processor to others. */
    if (waited > 0.01) usleep(100);
  }
}

/* ---- operations ---- */

static int is(const char *name) { return strcmp(program[current].operation, name) == 0; }

static void posix_open(void) {
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

static void stream_open(void) {
  char relative[PATH_MAX], path[PATH_MAX];
  const char *mode = operand(1);
  int makes = strpbrk(mode, "wa") != NULL;
  place(2, makes, relative, path);
  struct slot *slot = new_slot(atoi(operand(0)), STREAM);
  double began = MPI_Wtime();
  slot->stream = fopen(path, mode);
  if (slot->stream == NULL) fail("%s: %s", relative, strerror(errno));
  plain(makes ? 'c' : '-', began);
  slot->key = key_of(relative);
  slot->appends = strchr(mode, 'a') != NULL;
}

/* What is written at a place: 0 where nobody can know it, which a check takes for unwritten. */
static void prepare(const struct slot *slot, unsigned char *bytes, size_t count, MPI_Offset at) {
  if (!is_checking) return;
  for (size_t i = 0; i < count; i++)
    bytes[i] = slot->appends ? 0 : content_byte(slot->key, (uint32_t)rank, at + (MPI_Offset)i);
}

static void examine(const struct slot *slot, const unsigned char *bytes, size_t count, MPI_Offset at) {
  if (!is_checking) return;
  for (size_t i = 0; i < count; i++) check_byte(slot, bytes[i], at + (MPI_Offset)i);
}

static void posix_transfer(int is_read, int has_offset) {
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
    check_system(got, program[current].operation);
    if (got == 0) break;
    moved += (size_t)got;
  } while (moved < bytes);
  measured(program[current].operation, is_read ? 'r' : 'w', '-', 1, (long long)bytes, (long long)moved, MPI_Wtime() - began);
  if (is_read) examine(slot, own, moved, at);
}

static void stream_transfer(int is_read) {
  struct slot *slot = slot_at(0, STREAM);
  size_t bytes = (size_t)size_at(1, "bytes");
  unsigned char *own = memory_of(bytes);
  int is_random = is("buf_read_random");
  double began;
  off_t at = ftello(slot->stream);
  if (!is_read) prepare(slot, own, bytes, (MPI_Offset)at);
  began = MPI_Wtime();
  if (is_random) {
    check_system(fseeko(slot->stream, 0, SEEK_END), "buf_read_random");
    off_t end = ftello(slot->stream) - (off_t)bytes;
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    at = end > 0 ? (off_t)((random_state >> 11) % (uint64_t)(end + 1)) : 0;
    check_system(fseeko(slot->stream, at, SEEK_SET), "buf_read_random");
  }
  size_t moved = is_read ? fread(own, 1, bytes, slot->stream) : fwrite(own, 1, bytes, slot->stream);
  if (ferror(slot->stream)) fail("%s: %s", program[current].operation, strerror(errno));
  measured(program[current].operation, is_read ? 'r' : 'w', '-', 1, (long long)bytes, (long long)moved, MPI_Wtime() - began);
  if (is_read) examine(slot, own, moved, (MPI_Offset)at);
}

static void posix_other(void) {
  char relative[PATH_MAX], path[PATH_MAX], other_relative[PATH_MAX], other[PATH_MAX];
  double began;
  if (is("close")) {
    struct slot *slot = slot_at(0, POSIX);
    began = MPI_Wtime();
    check_system(close(slot->descriptor), "close");
    slot->is_open = 0;
    plain('-', began);
  } else if (is("duplicate")) {
    struct slot *slot = slot_at(0, POSIX);
    int from = slot->descriptor, appends = slot->appends;
    uint32_t key = slot->key;
    struct slot *copy = new_slot(atoi(operand(1)), POSIX);
    copy->descriptor = dup(from);
    check_system(copy->descriptor, "dup");
    copy->key = key;
    copy->appends = appends;
  } else if (is("seek") || is("buf_seek")) {
    struct slot *slot = slot_at(0, is("seek") ? POSIX : STREAM);
    off_t offset = (off_t)number_at(1);
    int whence = atoi(operand(2));
    began = MPI_Wtime();
    check_system(is("seek") ? (long)lseek(slot->descriptor, offset, whence) : fseeko(slot->stream, offset, whence), "seek");
    plain('-', began);
  } else if (is("sync")) {
    struct slot *slot = find_slot(atoi(operand(0)));
    began = MPI_Wtime();
    if (slot == NULL) fail("no file is open as %s", operand(0));
    if (slot->kind == MPIIO) check_mpi(MPI_File_sync(slot->file), "sync");
    else {
      if (slot->kind == STREAM && fflush(slot->stream) != 0) fail("sync: %s", strerror(errno));
      int descriptor = slot->kind == STREAM ? fileno(slot->stream) : slot->descriptor;
      check_system(atoi(operand(1)) ? fdatasync(descriptor) : fsync(descriptor), "sync");
    }
    plain('-', began);
  } else if (is("truncate")) {
    struct slot *slot = slot_at(0, POSIX);
    off_t length = (off_t)size_at(1, "length");
    began = MPI_Wtime();
    check_system(ftruncate(slot->descriptor, length), "truncate");
    plain('-', began);
  } else if (is("lock") || is("unlock")) {
    struct slot *slot = slot_at(0, POSIX);
    int kind = is("unlock") ? LOCK_UN : atoi(operand(1)) ? LOCK_SH : LOCK_EX;
    began = MPI_Wtime();
    check_system(flock(slot->descriptor, kind), "flock");
    plain('-', began);
  } else if (is("fclose")) {
    struct slot *slot = slot_at(0, STREAM);
    began = MPI_Wtime();
    if (fclose(slot->stream) != 0) fail("fclose: %s", strerror(errno));
    slot->is_open = 0;
    plain('-', began);
  } else if (is("rename")) {
    place(0, 0, relative, path);
    place(1, 1, other_relative, other);
    began = MPI_Wtime();
    check_system(rename(path, other), relative);
    plain('-', began);
  } else {
    struct stat status;
    place(0, is("mkdir"), relative, path);
    began = MPI_Wtime();
    long result = is("unlink") ? unlink(path) : is("mkdir") ? mkdir(path, 0777) : is("rmdir") ? rmdir(path) : lstat(path, &status);
    check_system(result, relative);
    plain(is("unlink") ? 'u' : '-', began);
  }
}

static void mpi_open(void) {
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
    if (one->places == NULL) content_unchecked += one->bytes;
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

/* mpi_read and mpi_write: SLOT position blocking collective OFFSET COUNT TYPE. All calls of MPI-2 and their like of MPI-3.1. */
static void mpi_transfer(int is_read) {
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
  check_mpi(code, program[current].operation);
  if (blocking) {
    int got = 0;
    MPI_Get_elements(&status, MPI_BYTE, &got);
    long long moved = got == MPI_UNDEFINED || got < 0 ? one->bytes : got;
    if (is_read && moved < one->bytes) one->bytes = moved;
    measured(program[current].operation, is_read ? 'r' : 'w', '-', 1, (long long)one->bytes, moved, seconds);
    finish_transfer(slot, one);
    return;
  }
  measured(program[current].operation, is_read ? 'r' : 'w', '-', 1, one->bytes, one->bytes, seconds);
  one->next = slot->pending;
  slot->pending = one;
}

static void wait_for(struct slot *slot) {
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

static void mpi_other(void) {
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

static void synchronise(void) {
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
  measured(program[current].operation, '-', '-', 0, 0, 0, MPI_Wtime() - began);
}

static void perform(void) {
  operations++;
  if (strncmp(program[current].operation, "mpi_", 4) == 0) {
    if (is("mpi_fopen")) mpi_open();
    else if (is("mpi_read") || is("mpi_write")) mpi_transfer(is("mpi_read"));
    else mpi_other();
  } else if (is("send_sync") || is("recv_sync") || is("barrier") || is("sleep")) synchronise();
  else if (is("open")) posix_open();
  else if (is("fopen")) stream_open();
  else if (is("read") || is("write")) posix_transfer(is("read"), 0);
  else if (is("pread") || is("pwrite")) posix_transfer(is("pread"), 1);
  else if (is("buf_write")) stream_transfer(0);
  else if (is("buf_read") || is("buf_read_random")) stream_transfer(1);
  else posix_other();
}

/* From one instruction to before another. */
static void run(size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    current = i;
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

static void load(const char *path) {
  FILE *file = fopen(path, "r");
  char *line = NULL;
  size_t capacity = 0, open_series[MOST_DEPTH], room = 0;
  int open_count = 0, line_number = 0;
  if (file == NULL) fail("%s: %s", path, strerror(errno));
  while (getline(&line, &capacity, file) > 0) {
    char *rest = line, *word;
    struct instruction one;
    memset(&one, 0, sizeof one);
    one.line = ++line_number;
    if ((word = strsep(&rest, " \n")) == NULL || *word == 0) continue;
    snprintf(one.operation, sizeof one.operation, "%s", word);
    while (one.count < MOST_OPERANDS && (word = strsep(&rest, " \n")) != NULL && *word != 0) one.operands[one.count++] = strdup(word);
    if (program_length == room) {
      room = room == 0 ? 1024 : 2 * room;
      program = realloc(program, room * sizeof *program);
      if (program == NULL) fail("no memory for the instructions");
    }
    if (strcmp(one.operation, "series") == 0) {
      if (open_count == MOST_DEPTH) fail("series are nested too deep");
      open_series[open_count++] = program_length;
    } else if (strcmp(one.operation, "end") == 0) {
      if (open_count == 0) fail("an end without a series");
      program[open_series[--open_count]].end = program_length;
    }
    program[program_length++] = one;
  }
  if (open_count > 0) fail("a series without an end");
  free(line);
  fclose(file);
}

static void close_all(void) {
  for (size_t i = 0; i < slot_count; i++) {
    if (!slots[i].is_open) continue;
    if (slots[i].kind == POSIX) close(slots[i].descriptor);
    else if (slots[i].kind == STREAM) {
      if (fclose(slots[i].stream) != 0) fail("fclose at the end: %s", strerror(errno));
    } else {
      wait_for(&slots[i]);
      MPI_File_close(&slots[i].file);
    }
  }
}

int main(int count, char **arguments) {
  char path[PATH_MAX];
  size_t first = 0;
#ifdef __linux__
  /* A rank does not outlive what started it. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  MPI_Init(&count, &arguments);
  if (count != 4) {
    fprintf(stderr, "usage: mpi-replayer FOLDER INSTRUCTIONS RESULTS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &tokens);
  random_state = (uint64_t)rank + 1;
  root = arguments[1];
  results_path = arguments[3];
  snprintf(path, sizeof path, "%s.%d", results_path, rank);
  results = fopen(path, "w");
  if (results == NULL) fail("%s: %s", path, strerror(errno));
  snprintf(path, sizeof path, "%s.%d", arguments[2], rank);
  load(path);
  for (; first < program_length; first++) {
    current = first;
    if (strcmp(program[first].operation, "check") == 0) is_checking = 1;
    else if (strcmp(program[first].operation, "type") == 0) define_type();
    else break;
  }
  check_mpi(MPI_Barrier(MPI_COMM_WORLD), "start");
  double began = MPI_Wtime();
  run(first, program_length);
  close_all();
  double seconds = MPI_Wtime() - began;
  for (size_t i = 0; i < measure_count; i++) {
    struct measure *one = &measures[i];
    fprintf(results, "call %s %c %c %d %lld %lld %lld %.9f\n", one->operation, one->direction, one->effect, one->is_io,
            one->asked, one->times, one->moved, one->seconds);
  }
  fprintf(results, "content %lld %lld %lld %lld\n", content_right, content_unwritten, content_wrong, content_unchecked);
  fprintf(results, "done %lld %.9f\n", operations, seconds);
  if (fclose(results) != 0) {
    results = NULL;
    fail("the results cannot be written");
  }
  MPI_Finalize();
  return 0;
}
