/* The recorded process: settings, start, forks and its end. */
#include "../recording/calls.h"
#include "../recording/file.h"
#include "../recording/texts.h"
#include "batch.h"
#include "life.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

struct settings settings;
uint32_t generation;
enum state recorder_state;
int recorder_process;

static volatile int always = 1;
volatile int *recorder_memory = &always;

static uintptr_t pointer_base;
/* What the environment said when the process started: the program may change it, while we read. */
static struct {
    int64_t rank;
    int64_t size;
    /* Each with its zero; none: they must be asked for. */
    char arguments[4096];
    size_t argument_bytes;
} started_as;

static const char *const LAYER_NAMES[LAYERS] = {"", "posix", "stdio", "mpi-io", "hdf5", "netcdf", "pnetcdf", "mpi"};

/* Layers by their names, commas between them. */
static unsigned layers_of(const char *text)
{
    unsigned layers = 1u << LAYER_RECORDER;
    while (*text != 0) {
        size_t length = strcspn(text, ",");
        for (unsigned layer = 1; layer < LAYERS; layer++)
            if (strlen(LAYER_NAMES[layer]) == length && strncmp(text, LAYER_NAMES[layer], length) == 0)
                layers |= 1u << layer;
        text += length;
        if (*text == ',') text++;
    }
    return layers;
}

const char *environment_variable(char *const environment[], const char *name)
{
    size_t length = strlen(name);
    for (; environment != NULL && *environment != NULL; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=') return *environment + length + 1;
    return NULL;
}

/* Programs, such as bash, have a getenv of their own. */
const char *own_variable(const char *name)
{
    return environment_variable(environ, name);
}

/*
 * The digits at the beginning of a text. Not strtoul and the like: the headers of glibc 2.38 and later make names of them that
 * other C libraries do not have, and a program of musl would not start.
 */
static uint64_t number_at(const char *text)
{
    uint64_t number = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        if (__builtin_mul_overflow(number, 10, &number) || __builtin_add_overflow(number, *text - '0', &number))
            return UINT64_MAX;
    return number;
}

static unsigned number_of(const char *name, unsigned otherwise)
{
    const char *text = own_variable(name);
    if (text == NULL || *text < '0' || *text > '9') return otherwise;
    uint64_t number = number_at(text);
    return number > 0x7fffffff ? otherwise : (unsigned)number;
}

/* Whether this is one of the programs that are not meant, such as the launcher of the ranks: names, commas between them. */
static bool is_passed_over(const char *names)
{
    const char *name = program_invocation_short_name;
    size_t length = strlen(name);
    while (names != NULL && *names != 0) {
        size_t bytes = strcspn(names, ",");
        if (bytes == length && strncmp(names, name, length) == 0) return true;
        names += names[bytes] == 0 ? bytes : bytes + 1;
    }
    return false;
}

static int64_t number_in(const char *const variables[])
{
    for (; *variables != NULL; variables++) {
        const char *text = own_variable(*variables);
        if (text != NULL && *text >= '0' && *text <= '9') return (int64_t)(number_at(text) & INT64_MAX);
    }
    return -1;
}

/* A batch script under Slurm is no rank, although it has a SLURM_PROCID: only a step has tasks. */
static bool is_step(void)
{
    return own_variable("SLURM_STEP_NUM_TASKS") != NULL;
}

static int64_t rank_by_environment(void)
{
    static const char *const RANKS[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "PALS_RANKID", NULL};
    static const char *const SLURM[] = {"SLURM_PROCID", NULL};
    int64_t rank = number_in(RANKS);
    return rank < 0 && is_step() ? number_in(SLURM) : rank;
}

static int64_t size_by_environment(void)
{
    static const char *const SIZES[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", NULL};
    static const char *const SLURM[] = {"SLURM_STEP_NUM_TASKS", NULL};
    int64_t size = number_in(SIZES);
    return size < 0 && is_step() ? number_in(SLURM) : size;
}

static bool read_settings(void)
{
    const char *folder = own_variable("IOLENS_RECORDING");
    if (folder == NULL || folder[0] != '/' || strlen(folder) >= sizeof settings.folder || getauxval(AT_SECURE) != 0)
        return false;
    if (is_passed_over(own_variable("IOLENS_SKIP"))) return false;
    strcpy(settings.folder, folder);
    const char *layers = own_variable("IOLENS_LAYERS");
    settings.layers = layers == NULL || *layers == 0 ? (1u << LAYERS) - 1 : layers_of(layers);
    settings.stack_depth = number_of("IOLENS_STACK_DEPTH", 64);
    settings.stack_sample = number_of("IOLENS_STACK_SAMPLE", 1);
    const char *most_bytes = own_variable("IOLENS_LIMIT");
    settings.most_bytes = most_bytes == NULL ? 0 : number_at(most_bytes);
    started_as.rank = rank_by_environment();
    started_as.size = size_by_environment();
    batch_read();
    return true;
}

static void mark_memory(void)
{
    volatile int *memory = kernel_memory(sizeof(int));
    if (memory == NULL || !kernel_empty_in_forks((void *)memory, sizeof(int))) return;
    *memory = 1;
    recorder_memory = memory;
}

/* Only here: later the program may have another root folder, or somebody deleted ours. */
static void make_folders(void)
{
    if (kernel_make_folder(settings.folder) != -ENOENT) return;
    for (char *slash = settings.folder + 1; *slash != 0; slash++) {
        if (*slash != '/') continue;
        *slash = 0;
        kernel_make_folder(settings.folder);
        *slash = '/';
    }
    kernel_make_folder(settings.folder);
}

/*
 * At the first call, which may be a constructor's of another library, or an allocator's that holds its lock: nothing here
 * may allocate, and nothing may ask the loader (machine/symbols.h).
 */
bool recorder_start(void)
{
    // Before the C library has begun nobody knows whether this is wanted.
    if (environ == NULL) return false;
    enum state expected = NOT_STARTED;
    if (!__atomic_compare_exchange_n(&recorder_state, &expected, STARTING, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return expected == ACTIVE;
    int before = errno;
    bool is_wanted = read_settings();
    if (is_wanted) {
        recorder_process = kernel_process();
        life_begins(false);
        pointer_base = (uintptr_t)kernel_call(SYS_brk, 0, 0, 0, 0, 0, 0);
        mark_memory();
        make_folders();
        calls_begin();
        stacks_begin(settings.stack_depth, settings.stack_sample);
    }
    __atomic_store_n(&recorder_state, is_wanted ? ACTIVE : OFF, __ATOMIC_RELEASE);
    errno = before;
    return is_wanted;
}

/* Asking the kernel for them takes a descriptor, the lowest that is free: beside other threads that could be seen. */
static void keep_arguments(int count, char **arguments)
{
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        size_t space = sizeof started_as.arguments - used;
        size_t bytes = strnlen(arguments[i], space);
        memcpy(started_as.arguments + used, arguments[i], bytes);
        used += bytes < space ? bytes + 1 : bytes;
    }
    started_as.argument_bytes = used;
}

/* glibc hands constructors what main gets; others, such as musl, nothing: then these are of no meaning, and do not fit. */
__attribute__((constructor)) static void begin(int count, char **arguments, char **environment)
{
    functions_find();
    bool is_meant = count > 0 && (uintptr_t)(arguments + count + 1) == (uintptr_t)environment;
    bool starts_here = recorder_state == NOT_STARTED;
    if (!recorder_start()) return;
    if (is_meant) keep_arguments(count, arguments);
    if (starts_here) calls_take(monotonic_time() - life_began());
}

__attribute__((destructor)) static void end(void)
{
    recorder_flush_all();
}

/* The kernel tells forks by memory that it empties; old ones do not, and then the process is asked for its number. */
static bool is_new_process(void)
{
    if (recorder_memory != &always) return *recorder_memory == 0;
    return recorder_thread.vfork_parent == 0 && kernel_process() != recorder_process;
}

static void begin_anew(struct thread *thread)
{
    recorder_process = kernel_process();
    life_begins(true);
    generation++;
    descriptors_forget();
    texts_forget();
    stacks_forget(buffers_of_threads());
    // In a handler that forks: the function that was interrupted will go on adding where it was.
    struct buffer *abandoned = thread->committing ? thread->buffer : NULL;
    if (abandoned != NULL) thread->buffer = NULL;
    chunks_forget(thread->buffer, abandoned);
    calls_forget(thread);
}

void recorder_forked(void)
{
    if (recorder_state != ACTIVE) return;
    signal_mask before;
    signals_block(&before);
    if (is_new_process()) {
        begin_anew(&recorder_thread);
        *recorder_memory = 1;
    }
    signals_restore(&before);
}

/* Whether this process is the one that all is written for. */
static bool may_write(void)
{
    if (recorder_state != ACTIVE) return false;
    recorder_forked();
    return recorder_thread.inside == 0 && recorder_is_here(&recorder_thread) && kernel_process() == recorder_process;
}

/* Libraries start threads before our constructor runs. */
void recorder_before_thread(void)
{
    if (recorder_state == NOT_STARTED) recorder_start();
    if (may_write()) buffers_before_thread();
}

/* The child of vfork has descriptors of its own, and its parent's memory. */
int recorder_before_copy(int target)
{
    if (UNLIKELY(file_is_at(target)) && may_write()) file_make_way(target);
    return target;
}

void recorder_flush_now(void)
{
    if (may_write()) buffers_write_all(GOES_ON);
}

void recorder_flush_last(void)
{
    if (may_write()) buffers_write_all(MAY_END);
}

void recorder_flush_signal(int number)
{
    if (!may_write()) return;
    life_ends_by(number);
    buffers_write_all(MAY_END);
    life_ends_by(0);
}

void recorder_flush_program(void)
{
    if (may_write()) buffers_write_all(ENDS);
}

void recorder_flush_all(void)
{
    if (!may_write()) return;
    recorder_ending = true;
    buffers_write_all(ENDS);
}

void recorder_stop(void)
{
    recorder_flush_now();
    enum state active = ACTIVE;
    // Closing around it asks where it leads, which may be deadly afterwards.
    if (__atomic_compare_exchange_n(&recorder_state, &active, STOPPED, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) file_let_go();
}

void recorder_go_on(void)
{
    enum state stopped = STOPPED;
    __atomic_compare_exchange_n(&recorder_state, &stopped, ACTIVE, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

void put_pointer(struct call *call, const void *pointer)
{
    put(call, pointer == NULL ? 0 : zigzag(((int64_t)(intptr_t)pointer - (int64_t)pointer_base) / 8));
}

/* ---- the definition of the process ---- */

static void define_line(struct definition *definition, const char *text)
{
    define_text(definition, text, strlen(text));
}

static void define_link(struct definition *definition, const char *link)
{
    // Not on the stack, of which threads may have little: the lock is held.
    static char path[4096];
    long length = kernel_readlink(link, path, sizeof path);
    define_text(definition, path, length < 0 ? 0 : kernel_name_bytes(path, (size_t)length));
}

static void define_arguments(struct definition *definition)
{
    static char asked[sizeof started_as.arguments];
    const char *line = started_as.argument_bytes > 0 ? started_as.arguments : asked;
    size_t length = started_as.argument_bytes;
    if (length == 0) length = (size_t)life_read_file("/proc/self/cmdline", asked, sizeof asked);
    uint64_t count = 0;
    for (size_t i = 0; i < length; i++) count += line[i] == 0 || i == length - 1;
    define(definition, count);
    for (size_t at = 0; at < length;) {
        size_t bytes = strnlen(line + at, length - at);
        define_text(definition, line + at, bytes);
        at += bytes + 1;
    }
}

void define_process(struct definition *definition)
{
    int before = errno;
    struct timespec wall;
    struct utsname machine;
    clock_gettime(CLOCK_REALTIME, &wall);
    uint64_t monotonic = monotonic_time();
    uname(&machine);
    define(definition, (uint64_t)kernel_process());
    define(definition, (uint64_t)getppid());
    define(definition, (uint64_t)wall.tv_sec * 1000000000u + (uint64_t)wall.tv_nsec);
    define(definition, monotonic);
    define(definition, generation > 0);
    define_signed(definition, started_as.rank);
    define_signed(definition, started_as.size);
    define(definition, settings.layers);
    define(definition, settings.stack_depth);
    define(definition, settings.stack_sample);
    define_line(definition, machine.nodename);
    define_link(definition, "/proc/self/exe");
    define_link(definition, "/proc/self/cwd");
    define_line(definition, machine.machine);
    define_line(definition, RECORDER_VERSION);
    define_line(definition, batch_job());
    define_arguments(definition);
    define(definition, life_began());
    define_batch(definition);
    errno = before;
}
