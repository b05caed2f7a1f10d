/* Turns the logs of the recorder (tap.h) into one OTF2 archive.
 * usage: to_otf2 ARCHIVE RANKS LOGS PROGRAM FROM TO
 * Paths that begin with FROM are written with TO instead. The program's addresses become functions and lines by
 * addr2line: each call is entered with its calling context (function, line in it, caller …), as Score-P writes it when it
 * unwinds. Handles have local ids and mapping tables; those that all ranks share have one definition. */
#include <otf2/otf2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "places.h"

enum { MAX = 1 << 15, RANKS = 64, TEXT = 4096 };
enum { POSIX, MPI_IO, HDF5 };
enum { WORLD, SELF };
enum { ATTRIBUTE_OFFSET };
static const uint64_t FIRST_TICK = 1000000000; /* one tick is a nanosecond */

static char *strings[MAX];
static int string_count;
static uint32_t string(const char *text) {
  for (int i = 0; i < string_count; i++)
    if (!strcmp(strings[i], text)) return i;
  strings[string_count] = strdup(text);
  return string_count++;
}

static struct region { char name[128], paradigm[16], file[256]; char role; int line; } regions[MAX];
static int region_count;
static struct region *region(const char *name, const char *paradigm, char role) {
  for (int i = 0; i < region_count; i++)
    if (!strcmp(regions[i].name, name) && !strcmp(regions[i].paradigm, paradigm)) return &regions[i];
  struct region *added = &regions[region_count++];
  snprintf(added->name, sizeof added->name, "%s", name);
  snprintf(added->paradigm, sizeof added->paradigm, "%s", paradigm);
  added->role = role;
  return added;
}

static struct location { uint32_t file; int line; } locations[MAX];
static int location_count;
static uint32_t location(const char *file, int line) {
  uint32_t name = string(file);
  for (int i = 0; i < location_count; i++)
    if (locations[i].file == name && locations[i].line == line) return i;
  locations[location_count] = (struct location){name, line};
  return location_count++;
}

static struct context { uint32_t region, location, parent; } contexts[MAX];
static int context_count;
static uint32_t context(const struct region *of, uint32_t at, uint32_t parent) {
  uint32_t number = of - regions;
  for (int i = 0; i < context_count; i++)
    if (contexts[i].region == number && contexts[i].location == at && contexts[i].parent == parent) return i;
  contexts[context_count] = (struct context){number, at, parent};
  return context_count++;
}

/* The context of the innermost frame of a stack, `skipped` frames left out; UNDEFINED when none is the program's own. */
static uint32_t context_of_stack(const struct stack *stack, int skipped) {
  uint32_t parent = OTF2_UNDEFINED_CALLING_CONTEXT;
  for (int i = stack->count - 1; i >= skipped; i--) {
    const struct place *place = place_of(stack->addresses[i] - 1); /* a return address: the call stands before it */
    if (!place || !place->line) continue;
    parent = context(region(place->function, "user", 'f'), location(place->file, place->line), parent);
  }
  return parent;
}

static char *paths[MAX];
static int path_count;
static uint32_t file_of(const char *path) {
  for (int i = 0; i < path_count; i++)
    if (!strcmp(paths[i], path)) return i;
  paths[path_count] = strdup(path);
  return path_count++;
}

static struct handle { char name[TEXT]; uint32_t file, parent; int paradigm, comm, flags, nth; } *handles;
static int handle_count;
static int same_handle(const struct handle *a, const struct handle *b) {
  return a->file == b->file && a->paradigm == b->paradigm && a->comm == WORLD && b->comm == WORLD && a->parent == b->parent &&
         a->nth == b->nth && !strcmp(a->name, b->name);
}
/* One definition for all ranks of what they open together, the n-th time each of them opens it. */
static uint32_t define(struct handle made) {
  for (int i = 0; i < handle_count; i++)
    if (same_handle(&handles[i], &made)) return i;
  handles[handle_count] = made;
  return handle_count++;
}

static const char *from, *to;
static const char *renamed(const char *path) {
  static char result[TEXT];
  if (strncmp(path, from, strlen(from))) return path;
  snprintf(result, sizeof result, "%s%s", to, path + strlen(from));
  return result;
}

struct rank {
  uint32_t handle_map[MAX];
  int handle_count;
  uint32_t open[256]; /* contexts that are entered and not yet left */
  int depth;
  struct stack stacks[MAX];
  uint64_t events;
};
static struct rank *ranks[RANKS];
static uint64_t first_time = UINT64_MAX, last_tick, current_tick;

static OTF2_FlushType before_flush(void *a, OTF2_FileType b, OTF2_LocationRef c, void *d, bool e) {
  (void)a, (void)b, (void)c, (void)d, (void)e;
  return OTF2_FLUSH;
}
static OTF2_TimeStamp after_flush(void *a, OTF2_FileType b, OTF2_LocationRef c) {
  (void)a, (void)b, (void)c;
  return current_tick;
}

static void add_handle(struct rank *rank, const char *fields) {
  int id, parent;
  char paradigm[16], comm, name[TEXT];
  sscanf(fields, "%d %15s %c %d %4095[^\n]", &id, paradigm, &comm, &parent, name);
  char *hash = strchr(name, '#');
  struct handle made = {.parent = parent < 0 ? OTF2_UNDEFINED_IO_HANDLE : rank->handle_map[parent],
                        .paradigm = !strcmp(paradigm, "MPI-IO") ? MPI_IO : !strcmp(paradigm, "HDF5") ? HDF5 : POSIX,
                        .comm = comm == 'W' ? WORLD : SELF};
  if (hash) {
    snprintf(made.name, sizeof made.name, "%s", hash + 1);
    *hash = 0;
  }
  made.file = file_of(renamed(name));
  for (int i = 0; i < rank->handle_count; i++) {
    struct handle *earlier = &handles[rank->handle_map[i]];
    made.nth += earlier->file == made.file && earlier->paradigm == made.paradigm && !strcmp(earlier->name, made.name);
  }
  rank->handle_map[id] = define(made);
  rank->handle_count = id + 1;
}

static void enter(struct rank *rank, OTF2_EvtWriter *writer, uint64_t time, uint32_t entered) {
  rank->open[rank->depth++] = entered;
  int is_root = contexts[entered].parent == OTF2_UNDEFINED_CALLING_CONTEXT;
  OTF2_EvtWriter_CallingContextEnter(writer, NULL, time, entered, is_root ? 1 : 2);
}

static void enter_call(struct rank *rank, OTF2_EvtWriter *writer, uint64_t time, const char *fields) {
  char name[128], paradigm[16], role;
  int stack;
  sscanf(fields, "%127s %15s %c %d", name, paradigm, &role, &stack);
  uint32_t parent = stack >= 0       ? context_of_stack(&rank->stacks[stack], 0)
                    : rank->depth > 0 ? rank->open[rank->depth - 1]
                                      : OTF2_UNDEFINED_CALLING_CONTEXT;
  enter(rank, writer, time, context(region(name, paradigm, role), OTF2_UNDEFINED_SOURCE_CODE_LOCATION, parent));
}

static void enter_function(struct rank *rank, OTF2_EvtWriter *writer, uint64_t time, const char *fields) {
  unsigned long address;
  int stack;
  sscanf(fields, "%lx %d", &address, &stack);
  const struct place *place = place_of(address);
  struct region *function = region(place ? place->function : "?", "user", 'f');
  if (place && !function->line) {
    snprintf(function->file, sizeof function->file, "%s", place->file);
    function->line = place->line;
  }
  uint32_t caller = stack >= 0 ? context_of_stack(&rank->stacks[stack], 1) : OTF2_UNDEFINED_CALLING_CONTEXT;
  enter(rank, writer, time, context(function, OTF2_UNDEFINED_SOURCE_CODE_LOCATION, caller));
}

static void record(struct rank *rank, OTF2_EvtWriter *w, uint64_t t, const char *kind, const char *fields) {
  long long a[6] = {0};
  int count = sscanf(fields, "%lld %lld %lld %lld %lld %lld", a, a + 1, a + 2, a + 3, a + 4, a + 5);
  uint32_t handle = (uint32_t)a[0]; /* local id: the mapping table makes it a global one */
  if (!strcmp(kind, "Cr")) OTF2_EvtWriter_IoCreateHandle(w, NULL, t, handle, a[1], a[2], a[3]);
  else if (!strcmp(kind, "De")) OTF2_EvtWriter_IoDestroyHandle(w, NULL, t, handle);
  else if (!strcmp(kind, "Se")) OTF2_EvtWriter_IoSeek(w, NULL, t, handle, a[1], a[2], a[3]);
  else if (!strcmp(kind, "Ch")) OTF2_EvtWriter_IoChangeStatusFlags(w, NULL, t, handle, a[1]);
  else if (!strcmp(kind, "Be")) {
    OTF2_AttributeList *attributes = OTF2_AttributeList_New();
    if (count > 5) OTF2_AttributeList_AddUint64(attributes, ATTRIBUTE_OFFSET, a[5]);
    OTF2_EvtWriter_IoOperationBegin(w, attributes, t, handle, a[1], a[2], a[3], a[4]);
    OTF2_AttributeList_Delete(attributes);
  } else if (!strcmp(kind, "Te")) OTF2_EvtWriter_IoOperationTest(w, NULL, t, handle, a[1]);
  else if (!strcmp(kind, "Is")) OTF2_EvtWriter_IoOperationIssued(w, NULL, t, handle, a[1]);
  else if (!strcmp(kind, "Co")) OTF2_EvtWriter_IoOperationComplete(w, NULL, t, handle, a[1], a[2]);
  else if (!strcmp(kind, "Ca")) OTF2_EvtWriter_IoOperationCancelled(w, NULL, t, handle, a[1]);
  else if (!strcmp(kind, "Ac")) OTF2_EvtWriter_IoAcquireLock(w, NULL, t, handle, a[1]);
  else if (!strcmp(kind, "Re")) OTF2_EvtWriter_IoReleaseLock(w, NULL, t, handle, a[1]);
  else if (!strcmp(kind, "Tr")) OTF2_EvtWriter_IoTryLock(w, NULL, t, handle, a[1]);
  else if (!strcmp(kind, "CB")) OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, t);
  else if (!strcmp(kind, "CE")) OTF2_EvtWriter_MpiCollectiveEnd(w, NULL, t, a[0], WORLD, a[1] < 0 ? OTF2_UNDEFINED_UINT32 : (uint32_t)a[1], a[2], a[3]);
  else if (!strcmp(kind, "MS")) OTF2_EvtWriter_MpiSend(w, NULL, t, a[0], WORLD, a[1], a[2]);
  else if (!strcmp(kind, "MR")) OTF2_EvtWriter_MpiRecv(w, NULL, t, a[0], WORLD, a[1], a[2]);
  else if (!strcmp(kind, "L")) OTF2_EvtWriter_CallingContextLeave(w, NULL, t, rank->open[--rank->depth]);
  else fprintf(stderr, "unknown record %s\n", kind);
}

static FILE *open_log(const char *folder, int rank) {
  char path[TEXT];
  snprintf(path, sizeof path, "%s/tap.%d.log", folder, rank);
  FILE *log = fopen(path, "r");
  if (!log) {
    perror(path);
    exit(1);
  }
  return log;
}

/* First pass: when the run began, and all addresses that have to become lines. */
static void survey(const char *folder, int number) {
  FILE *log = open_log(folder, number);
  char line[TEXT], kind[8];
  unsigned long long time;
  for (int at; fgets(line, sizeof line, log);) {
    if (sscanf(line, "%llu %7s %n", &time, kind, &at) < 2) continue;
    if (time < first_time) first_time = time;
    if (!strcmp(kind, "U")) ask_for_place(strtoul(line + at, NULL, 16));
    if (strcmp(kind, "S")) continue;
    char *next = line + at;
    struct stack *stack = &ranks[number]->stacks[strtol(next, &next, 10)];
    for (char *end; stack->count < FRAMES; next = end) {
      unsigned long address = strtoul(next, &end, 16);
      if (end == next) break;
      stack->addresses[stack->count++] = address;
      ask_for_place(address - 1);
    }
  }
  fclose(log);
}

static void write_events(OTF2_Archive *archive, const char *folder, int number, const char *program) {
  struct rank *rank = ranks[number];
  FILE *log = open_log(folder, number);
  OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, number);
  static const char *standard[] = {"stdin", "stdout", "stderr"};
  for (int i = 0; i < 3; i++) {
    struct handle made = {.file = OTF2_UNDEFINED_IO_FILE, .parent = OTF2_UNDEFINED_IO_HANDLE, .comm = SELF, .flags = OTF2_IO_HANDLE_FLAG_PRE_CREATED};
    strcpy(made.name, standard[i]);
    rank->handle_map[i] = define(made);
  }
  rank->handle_count = 3;
  char line[TEXT], kind[8];
  unsigned long long time;
  int is_first = 1;
  for (int at; fgets(line, sizeof line, log);) {
    if (sscanf(line, "%llu %7s %n", &time, kind, &at) < 2) continue;
    const char *fields = line + at;
    uint64_t tick = current_tick = FIRST_TICK + (time - first_time);
    if (tick > last_tick) last_tick = tick;
    if (is_first) OTF2_EvtWriter_ProgramBegin(writer, NULL, tick, string(program), 0, NULL);
    is_first = 0;
    if (!strcmp(kind, "S")) continue;
    if (!strcmp(kind, "H")) add_handle(rank, fields);
    else if (!strcmp(kind, "E")) enter_call(rank, writer, tick, fields);
    else if (!strcmp(kind, "U")) enter_function(rank, writer, tick, fields);
    else if (!strcmp(kind, "Dl")) {
      char paradigm[16], path[TEXT];
      sscanf(fields, "%15s %4095[^\n]", paradigm, path);
      OTF2_EvtWriter_IoDeleteFile(writer, NULL, tick, POSIX, file_of(renamed(path)));
    } else record(rank, writer, tick, kind, fields);
  }
  OTF2_EvtWriter_ProgramEnd(writer, NULL, current_tick, 0);
  OTF2_EvtWriter_GetNumberOfEvents(writer, &rank->events);
  OTF2_Archive_CloseEvtWriter(archive, writer);
  fclose(log);
}

static void write_mapping(OTF2_Archive *archive, int number) {
  struct rank *rank = ranks[number];
  OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, number);
  OTF2_IdMap *map = OTF2_IdMap_Create(OTF2_ID_MAP_DENSE, rank->handle_count);
  for (int i = 0; i < rank->handle_count; i++) OTF2_IdMap_AddIdPair(map, i, rank->handle_map[i]);
  OTF2_DefWriter_WriteMappingTable(writer, OTF2_MAPPING_IO_HANDLE, map);
  OTF2_IdMap_Free(map);
  OTF2_DefWriter_WriteClockOffset(writer, FIRST_TICK, 0, 0);
  OTF2_DefWriter_WriteClockOffset(writer, last_tick, 0, 0);
  OTF2_Archive_CloseDefWriter(archive, writer);
}

static OTF2_RegionRole role_of(char role) {
  switch (role) {
  case 'd': return OTF2_REGION_ROLE_FILE_IO;
  case 'm': return OTF2_REGION_ROLE_FILE_IO_METADATA;
  case 'b': return OTF2_REGION_ROLE_BARRIER;
  case 'o': return OTF2_REGION_ROLE_COLL_ONE2ALL;
  case 'i': return OTF2_REGION_ROLE_COLL_ALL2ONE;
  case 'a': return OTF2_REGION_ROLE_COLL_ALL2ALL;
  case 'p': return OTF2_REGION_ROLE_POINT2POINT;
  default: return OTF2_REGION_ROLE_FUNCTION;
  }
}

static void write_definitions(OTF2_GlobalDefWriter *w, int count) {
  uint32_t machine = string("machine"), node = string("node"), host = string("node01"), cluster = string("cluster");
  uint32_t world = string("MPI_COMM_WORLD"), self = string("MPI_COMM_SELF"), mpi = string("MPI"), thread = string("Master thread");
  uint32_t posix = string("POSIX"), posix_name = string("POSIX I/O"), mpi_io = string("MPI-IO"), mpi_name = string("MPI I/O"), hdf5 = string("HDF5");
  uint32_t offset = string("Offset"), meaning = string("Absolute read/write offset within a file."), none = string(""), user = string("Compiler instrumentation");
  char name[64];
  for (int i = 0; i < region_count; i++) string(regions[i].name), string(regions[i].file);
  for (int i = 0; i < path_count; i++) string(paths[i]);
  for (int i = 0; i < handle_count; i++) string(handles[i].name);
  for (int i = 0; i < count; i++) snprintf(name, sizeof name, "MPI Rank %d", i), string(name);
  OTF2_GlobalDefWriter_WriteClockProperties(w, 1000000000, FIRST_TICK, last_tick - FIRST_TICK + 1, first_time);
  for (int i = 0; i < string_count; i++) OTF2_GlobalDefWriter_WriteString(w, i, strings[i]);
  OTF2_GlobalDefWriter_WriteParadigm(w, OTF2_PARADIGM_MPI, mpi, OTF2_PARADIGM_CLASS_PROCESS);
  OTF2_GlobalDefWriter_WriteParadigm(w, OTF2_PARADIGM_COMPILER, user, OTF2_PARADIGM_CLASS_PROCESS);
  OTF2_GlobalDefWriter_WriteIoParadigm(w, POSIX, posix, posix_name, OTF2_IO_PARADIGM_CLASS_SERIAL, OTF2_IO_PARADIGM_FLAG_OS, 0, 0, 0, 0);
  OTF2_GlobalDefWriter_WriteIoParadigm(w, MPI_IO, mpi_io, mpi_name, OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE, 0, 0, 0, 0);
  OTF2_GlobalDefWriter_WriteIoParadigm(w, HDF5, hdf5, hdf5, OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE, 0, 0, 0, 0);
  OTF2_GlobalDefWriter_WriteAttribute(w, ATTRIBUTE_OFFSET, offset, meaning, OTF2_TYPE_UINT64);
  OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, cluster, machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 1, host, node, 0);
  uint64_t members[RANKS], numbers[RANKS];
  for (int i = 0; i < count; i++) {
    snprintf(name, sizeof name, "MPI Rank %d", i);
    OTF2_GlobalDefWriter_WriteLocationGroup(w, i, string(name), OTF2_LOCATION_GROUP_TYPE_PROCESS, 1, OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(w, i, thread, OTF2_LOCATION_TYPE_CPU_THREAD, ranks[i]->events, i);
    members[i] = numbers[i] = i;
  }
  for (int i = 0; i < region_count; i++) {
    const struct region *r = &regions[i];
    OTF2_Paradigm paradigm = !strcmp(r->paradigm, "user") ? OTF2_PARADIGM_COMPILER : !strncmp(r->paradigm, "MPI", 3) ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_UNKNOWN;
    OTF2_GlobalDefWriter_WriteRegion(w, i, string(r->name), string(r->name), none, role_of(r->role), paradigm, OTF2_REGION_FLAG_NONE, string(r->file), r->line, 0);
  }
  for (int i = 0; i < location_count; i++) OTF2_GlobalDefWriter_WriteSourceCodeLocation(w, i, locations[i].file, locations[i].line);
  for (int i = 0; i < context_count; i++) OTF2_GlobalDefWriter_WriteCallingContext(w, i, contexts[i].region, contexts[i].location, contexts[i].parent);
  OTF2_GlobalDefWriter_WriteGroup(w, 0, none, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, members);
  OTF2_GlobalDefWriter_WriteGroup(w, 1, none, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, numbers);
  OTF2_GlobalDefWriter_WriteGroup(w, 2, none, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 0, NULL);
  OTF2_GlobalDefWriter_WriteComm(w, WORLD, world, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteComm(w, SELF, self, 2, WORLD, OTF2_COMM_FLAG_NONE);
  for (int i = 0; i < path_count; i++) OTF2_GlobalDefWriter_WriteIoRegularFile(w, i, string(paths[i]), 0);
  for (int i = 0; i < handle_count; i++) {
    const struct handle *h = &handles[i];
    OTF2_GlobalDefWriter_WriteIoHandle(w, i, string(h->name), h->file, h->paradigm, h->flags, h->comm, h->parent);
  }
  for (int i = 0; i < handle_count; i++) {
    int is_input = !strcmp(handles[i].name, "stdin");
    if (handles[i].flags) OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState(w, i, is_input ? 0 : 1, is_input ? 0 : 2);
  }
}

int main(int argc, char **argv) {
  if (argc != 7) {
    fprintf(stderr, "usage: to_otf2 ARCHIVE RANKS LOGS PROGRAM FROM TO\n");
    return 2;
  }
  int count = atoi(argv[2]);
  const char *logs = argv[3], *program = argv[4], *slash = strrchr(program, '/');
  from = argv[5], to = argv[6];
  handles = calloc(MAX, sizeof *handles);
  string("");
  for (int i = 0; i < count; i++) {
    ranks[i] = calloc(1, sizeof *ranks[i]);
    survey(logs, i);
  }
  if (!find_places(program)) return 1;
  OTF2_Archive *archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  OTF2_FlushCallbacks flush = {before_flush, after_flush};
  OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_SetCreator(archive, "I/O Lens test recorder");
  OTF2_Archive_OpenEvtFiles(archive);
  for (int i = 0; i < count; i++) write_events(archive, logs, i, slash ? slash + 1 : program);
  OTF2_Archive_CloseEvtFiles(archive);
  OTF2_Archive_OpenDefFiles(archive);
  for (int i = 0; i < count; i++) write_mapping(archive, i);
  OTF2_Archive_CloseDefFiles(archive);
  OTF2_GlobalDefWriter *definitions = OTF2_Archive_GetGlobalDefWriter(archive);
  write_definitions(definitions, count);
  OTF2_Archive_CloseGlobalDefWriter(archive, definitions);
  return OTF2_Archive_Close(archive) != OTF2_SUCCESS;
}
