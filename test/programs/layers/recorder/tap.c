/* The log, the call stacks and the handles of the recorder. */
#include "tap.h"
#include <execinfo.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINE = 4096, DEPTH = 64, STACKS = 4096 };

static char *text;
static size_t length, room;
static int rank_of_process;
static int paused;
static int library_depth, parents[DEPTH], parent_count;
static int next_handle = 3; /* 0, 1, 2: standard input, output and error */
static long next_id = 1;
static uintptr_t program_base, program_end;
static struct { uint64_t hash; int id; } stacks[STACKS];
static int stack_count;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return time.tv_sec * 1000000000ull + time.tv_nsec;
}

void tap_log(const char *format, ...) {
  if (room - length < LINE) {
    room = room ? room * 2 : 1 << 20;
    text = realloc(text, room);
  }
  va_list arguments;
  va_start(arguments, format);
  length += snprintf(text + length, LINE, "%lu ", (unsigned long)now());
  length += vsnprintf(text + length, LINE - 64, format, arguments);
  va_end(arguments);
  text[length++] = '\n';
}

static int first_object(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  program_base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t end = program_base + part->p_vaddr + part->p_memsz;
    if (part->p_type == PT_LOAD && end > program_end) program_end = end;
  }
  return 1; /* the program itself comes first: enough */
}

/* Frames of the program only: what lies between them and the call is libraries. */
static int stack_of_program(void) {
  void *frames[DEPTH];
  int count = backtrace(frames, DEPTH);
  char line[DEPTH * 12] = "";
  int used = 0;
  uint64_t hash = 14695981039346656037ull;
  for (int i = 0; i < count; i++) {
    uintptr_t address = (uintptr_t)frames[i];
    if (address < program_base || address >= program_end) continue;
    used += snprintf(line + used, sizeof line - used, " %lx", (unsigned long)(address - program_base));
    hash = (hash ^ address) * 1099511628211ull;
  }
  for (int i = 0; i < stack_count; i++)
    if (stacks[i].hash == hash) return stacks[i].id;
  if (stack_count == STACKS) return -1;
  stacks[stack_count].hash = hash;
  stacks[stack_count].id = stack_count;
  tap_log("S %d%s", stack_count, line);
  return stack_count++;
}

void tap_enter(const char *name, const char *paradigm, enum tap_role role) {
  int stack = library_depth == 0 ? stack_of_program() : -1;
  tap_log("E %s %s %c %d", name, paradigm, role, stack);
  library_depth++;
}

void tap_leave(void) {
  library_depth--;
  tap_log("L");
}

int tap_is_nested(void) { return library_depth > 0; }
void tap_pause(void) { paused++; }
void tap_resume(void) { paused--; }
int tap_is_paused(void) { return paused > 0; }

int tap_wants(const char *path) {
  const char *match = getenv("TAP_MATCH");
  return !tap_is_paused() && path && match && strstr(path, match);
}

int tap_new_handle(const char *paradigm, char comm, const char *name) {
  tap_log("H %d %s %c %d %s", next_handle, paradigm, comm, parent_count ? parents[parent_count - 1] : NO_HANDLE, name);
  return next_handle++;
}

void tap_push(int handle) {
  if (parent_count < DEPTH) parents[parent_count] = handle;
  parent_count++;
}
void tap_pop(void) { parent_count--; }
long tap_new_id(void) { return next_id++; }

void tap_begin(int handle, enum tap_mode mode, int flags, size_t bytes, long id, long long offset) {
  if (offset == NO_OFFSET) tap_log("Be %d %d %d %zu %ld", handle, mode, flags, bytes, id);
  else tap_log("Be %d %d %d %zu %ld %lld", handle, mode, flags, bytes, id, offset);
}

void tap_end(int handle, long long result, long id) {
  if (result < 0) tap_log("Ca %d %ld", handle, id);
  else tap_log("Co %d %lld %ld", handle, result, id);
}

void tap_set_rank(int rank, int size) {
  (void)size;
  rank_of_process = rank;
}

/* Functions of a program that was compiled with -finstrument-functions. */
void __cyg_profile_func_enter(void *function, void *call_site) {
  (void)call_site;
  if (!program_end) dl_iterate_phdr(first_object, NULL);
  int stack = stack_of_program();
  tap_log("U %lx %d", (unsigned long)((uintptr_t)function - program_base), stack);
}
void __cyg_profile_func_exit(void *function, void *call_site) {
  (void)function, (void)call_site;
  tap_log("L");
}

__attribute__((constructor)) static void start(void) {
  void *warm_up[1];
  backtrace(warm_up, 1); /* loads the unwinder, which opens files */
  dl_iterate_phdr(first_object, NULL);
}

__attribute__((destructor)) static void save(void) {
  char path[LINE];
  const char *folder = getenv("TAP_OUT");
  if (!folder || !length) return;
  tap_pause();
  snprintf(path, sizeof path, "%s/tap.%d.log", folder, rank_of_process);
  FILE *file = fopen(path, "w");
  if (!file || fwrite(text, 1, length, file) != length || fclose(file)) perror(path);
}
