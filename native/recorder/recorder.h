/*
 * The recorder library: what the parts of it that stand around functions of a layer need ("wrappers"), and what they share.
 *
 * A wrapper has the name of the function that it stands in front of. The dynamic linker finds it first (LD_PRELOAD); it calls
 * the real function and writes down what was called:
 *
 *     FUNCTION(pread, LAYER_POSIX, "fnor");
 *     EXPORTED ssize_t pread(int fd, void *buffer, size_t size, off_t offset)
 *     {
 *         REAL(pread);
 *         struct call call;
 *         if (!call_begin_at(&call, &function_pread, fd)) return real(fd, buffer, size, offset);
 *         ssize_t result = real(fd, buffer, size, offset);
 *         if (call_end(&call)) {
 *             put_signed(&call, fd);
 *             put(&call, size);
 *             put_signed(&call, offset);
 *             put_result(&call, result);
 *             call_commit(&call);
 *         }
 *         return result;
 *     }
 *
 * The letters are those of docs/recording-format.md. Rules for everything here: errno stays as the real function left it
 * (call_begin and call_end see to it), nothing allocates from the program's heap, no descriptor is to be seen, no signal
 * handler is installed, and nothing waits for a lock while signals may come in.
 *
 * Files stand in folders by subject. Each includes files of its own and of those above it only, besides this file and
 * wrapper.h:
 *
 *     machine      the kernel, memory that may not be there, symbols of what is loaded
 *     stacks       call stacks: unwinding, modules, lines of Python
 *     recording    from a call to an event in the file: buffers, definitions, texts
 *     linking      the real function behind a wrapper, and which copy of a library is called
 *     process      start and end of the recorded process, and what the program executes or forbids itself
 *     descriptors  descriptors and streams that the process was not seen to open
 *     posix, stdio, mpi, hdf5, netcdf, pnetcdf
 *                  wrappers of a layer each; compile.json knows them by these names
 */
#ifndef IOLENS_RECORDER_H
#define IOLENS_RECORDER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RECORDER_VERSION "1.0"
#define EXPORTED __attribute__((visibility("default")))
#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

enum layer {
    LAYER_RECORDER,
    LAYER_POSIX,
    LAYER_STDIO,
    LAYER_MPI_IO,
    LAYER_HDF5,
    LAYER_NETCDF,
    LAYER_PNETCDF,
    LAYER_MPI,
    LAYERS
};

/*
 * A function that is recorded. Texts are part of it, and all lie side by side: with pointers the dynamic linker would write
 * to each when a program starts, and shells start thousands. The size is a multiple of any alignment that compilers choose.
 */
struct function {
    /* The real one, once it was looked for; NULL before, and where callers have libraries of their own (linking/resolve.c). */
    void *real;
    /* Its number in the definitions of this process image, below the number of forks that led here; 0 before it was used. */
    uint64_t defined;
    unsigned layer;
    /* A letter for each argument that is written. */
    char roles[12];
    char name[48];
    /* The real one's name for the linker, where it is not the one that programmers know: fread is __fread_chk to some. */
    char symbol[48];
};
_Static_assert(sizeof(struct function) == 128, "they must lie side by side, as an array");

/* The function of a wrapper; `behind` is the symbol of the real one. */
#define WRAPPED(symbol, behind, layer, recorded, roles)                                                                \
    static struct function function_##symbol                                                                           \
        __attribute__((used, section("iolens_functions"))) = {NULL, 0, layer, roles, recorded, behind}
#define FUNCTION(name, layer, roles) WRAPPED(name, #name, layer, #name, roles)

/* Declares `real`, the real function, with the type of the wrapper. */
#define REAL(name)                                                                                                     \
    __typeof__(&name) real = (__typeof__(&name))(LIKELY(function_##name.real != NULL)                                  \
                                                     ? function_##name.real                                            \
                                                     : real_function(&function_##name, __builtin_return_address(0)))

/* The real function behind a wrapper that was called from `caller`; never NULL: one that is nowhere fails with ENOSYS. */
void *real_function(struct function *function, void *caller);
/* A function that wrappers need beside their own, such as PMPI_Type_size; NULL when there is none. */
void *other_function(const char *name, void *caller);

/* Bytes that the arguments of one event take at most: ten of the longest numbers, and a few short ones. */
#define MOST_ARGUMENT_BYTES 128

/* A call under way. */
struct call {
    struct function *function;
    void *frame;
    uint64_t start;
    uint64_t end;
    /* As the real function left it. */
    int error;
    /* The process as it was then. */
    uint32_t generation;
    /* Layers above STDIO that the thread was in before, and the frame of the innermost call of them. */
    unsigned outer_layers;
    void *outer_frame;
    uint8_t *at;
    uint8_t arguments[MOST_ARGUMENT_BYTES];
};

/*
 * Whether the call is to be recorded; notes its start then. False when the layer is not wanted, when the call was made by
 * the recorder or inside of a call of the same layer: the wrapper only calls the real function then.
 */
#define call_begin(call, function) call_begin_from(call, function, __builtin_frame_address(0))
/* The same for a call that uses a descriptor: one that the process was not seen to open is described first. */
#define call_begin_at(call, function, fd)                                                                              \
    (descriptor_described(fd), call_begin_from(call, function, __builtin_frame_address(0)))
bool call_begin_from(struct call *call, struct function *function, void *frame);
/* Notes the end; whether arguments are wanted: then they are put, in the order of the roles, and the call is committed. */
bool call_end(struct call *call);
/* Instead of call_end, in front of a call that may never return: an event without duration. */
void call_unfinished(struct call *call);
void call_commit(struct call *call);
/* An event without duration, such as one of the recorder's own. */
bool call_mark(struct call *call, struct function *function);

/*
 * As memcpy. The thread sanitizer stands in front of that, does not see our locks, and would report what threads copy to the
 * same place one after the other.
 */
static inline void copy_bytes(void *to, const void *from, size_t size)
{
    uint8_t *target = to;
    const uint8_t *source = from;
    for (; size >= 8; size -= 8, target += 8, source += 8) {
        memcpy(target, source, 8);
        // Compilers make a call of memcpy of a loop that is one.
        __asm__ volatile("" ::: "memory");
    }
    for (; size > 0; size--) {
        *target++ = *source++;
        __asm__ volatile("" ::: "memory");
    }
}

static inline uint8_t *encode(uint8_t *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

static inline uint64_t zigzag(int64_t value)
{
    return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

static inline void put(struct call *call, uint64_t value)
{
    call->at = encode(call->at, value);
}

static inline void put_signed(struct call *call, int64_t value)
{
    put(call, zigzag(value));
}

/* A result with the error's number behind it when it is negative (letter `r` of POSIX and STDIO). */
static inline void put_result(struct call *call, int64_t result)
{
    put_signed(call, result);
    if (result < 0) put(call, (uint64_t)call->error);
}

/* The result of a function that returns the error's number: as that of one that returns -1 and sets errno. */
static inline void put_code(struct call *call, int code)
{
    put_signed(call, code == 0 ? 0 : -1);
    if (code != 0) put(call, (uint64_t)(unsigned)code);
}

/* A text by its number; 0 for NULL. Written as a definition when it is new. */
void put_text(struct call *call, const char *text);
/* The same for a path, which may be no address at all: a call that failed may have failed for that. */
void put_path(struct call *call, const char *path, bool failed);
/* A pointer as a short number: they lie near each other. 0 for NULL. */
void put_pointer(struct call *call, const void *pointer);

/* ---- descriptors: descriptors/descriptors.c ---- */

/* Describes a descriptor that the process was not seen to open (event `descriptor`), once. */
void describe_descriptor(int fd);
extern uint64_t known_descriptors[];
/* Those whose stream is known too (descriptors/streams.c). */
extern uint64_t known_streams[];
#define MOST_DESCRIPTORS 65536

static inline void descriptor_described(int fd)
{
    if ((unsigned)fd >= MOST_DESCRIPTORS) return;
    if (UNLIKELY((known_descriptors[fd >> 6] >> (fd & 63) & 1) == 0)) describe_descriptor(fd);
}

/* The process was seen to open, or to close, a descriptor. Negative numbers are passed over. */
void descriptor_opened(int fd);
void descriptor_closed(int fd);
/* All descriptors from `first` to `last` were closed. */
void descriptors_closed(unsigned first, unsigned last);
/* In a forked child, which has a recording of its own. */
void descriptors_forget(void);

/* ---- definitions: recording/chunks.c, recording/texts.c ---- */

enum definition_kind {
    DEFINE_PROCESS = 1,
    DEFINE_TEXT,
    DEFINE_FUNCTION,
    DEFINE_MODULE,
    DEFINE_STACK_NODE,
    DEFINE_WORLD,
    DEFINE_COMMUNICATOR,
    DEFINE_NOTE,
    DEFINE_NAMED_NODE,
    DEFINE_LIFE,
    DEFINE_LIMIT,
    DEFINE_TALLY
};

/* All signals, as the kernel sees them. */
typedef uint64_t signal_mask;

/*
 * Everything that numbers things is looked up without a lock and added to with this one. Signals are blocked meanwhile:
 * a handler could not get it, and the program may leave a handler by a jump.
 */
void definitions_lock(signal_mask *before);
void definitions_unlock(const signal_mask *before);

/* A definition that is being written, with the lock held. */
struct definition {
    uint8_t *start;
    uint8_t *at;
};

/* False when there is no room: then nothing may be written that refers to it. `bytes`: of the body, at most. */
bool definition_begin(struct definition *definition, enum definition_kind kind, size_t bytes);
void define(struct definition *definition, uint64_t value);
void define_signed(struct definition *definition, int64_t value);
void define_text(struct definition *definition, const void *text, size_t bytes);
void definition_end(struct definition *definition);

/* The number of a text, which is defined when it is new; 0 when there is no room for it. */
uint32_t text_number(const char *text);
/* The same for what a symbolic link says; 0, or the negative number of an error. */
long link_number(const char *link, uint32_t *number);
/* Something that the user should know of the recording. */
void note(const char *text);

/* ---- the process: process/process.c ---- */

struct settings {
    char folder[4096];
    /* Bit n: layer n is recorded. */
    unsigned layers;
    /* 0: no stacks. */
    unsigned stack_depth;
    /* One of how many calls has a stack. */
    unsigned stack_sample;
    /* Bytes of events that a process writes at most, and counts calls from then on; 0: no limit. */
    uint64_t most_bytes;
};
extern struct settings settings;
/* When the process had written all events that it may, on the monotonic clock; 0: it has not. */
extern uint64_t events_ended_at;

/* How often the process forked on the way here: numbers of definitions count for one of these only. */
extern uint32_t generation;

enum state { NOT_STARTED, STARTING, ACTIVE, STOPPED, OFF };
extern enum state recorder_state;

/* The value of a variable of the environment; NULL: there is none. */
const char *environment_variable(char *const environment[], const char *name);
/* The same of this process's. */
const char *own_variable(const char *name);

/* The program is about to start a thread. */
void recorder_before_thread(void);
/* It is about to put a file at that number, which is returned. */
int recorder_before_copy(int target);
/* Writes all that is buffered; from then on every event is written at once. Called when the process may end. */
void recorder_flush_all(void);
/* Writes all, and goes on buffering. */
void recorder_flush_now(void);
/* The same before what may end the process: also how long it has run. */
void recorder_flush_last(void);
/* The same before a signal to itself that ends it. */
void recorder_flush_signal(int number);
/* The same before what ends its program, if it succeeds. */
void recorder_flush_program(void);
/* The recording's file belongs to this user from now on, if we may say so. */
void recorder_give_file(unsigned user);
/* Writes all, and records nothing any more: what the program is about to do may make any call of the kernel's deadly. */
void recorder_stop(void);
/* It was not done. */
void recorder_go_on(void);
/* The body of the definition of this process. */
void define_process(struct definition *definition);
void define_life(struct definition *definition);
#define MOST_PROCESS_BYTES 16384

/* ---- kernel, without the C library's cancellation points: machine/kernel.c ---- */

uint64_t monotonic_time(void);
void signals_block(signal_mask *before);
void signals_restore(const signal_mask *before);
int kernel_process(void);
int kernel_thread(void);
/* Zeroed memory that is never given back; NULL when there is none. */
void *kernel_memory(size_t bytes);
/* Zeroed memory in place of what is there. */
bool kernel_memory_at(void *memory, size_t bytes);
/* Puts memory in place of what is there. */
bool kernel_memory_move(void *memory, void *target, size_t bytes);
/* Puts a part of a file in place of what is there: zeroed memory where that fails. */
bool kernel_map(void *memory, size_t bytes, int fd, int64_t offset);
/* Zeros it again without using memory. */
void kernel_memory_clear(void *memory, size_t bytes);
/* From now on it is zero in the child of a fork, however that was made; false: the kernel is too old (below 4.14). */
bool kernel_empty_in_forks(void *memory, size_t bytes);
/* Waits until kernel_wake, as long as `at` is `value`. */
void kernel_wait(int *at, int value);
void kernel_wake(int *at);
/* Whether there is a thread of that number. */
bool kernel_has_thread(int thread);
/* Whether the address lies in the stack that the thread has for its signal handlers (sigaltstack). */
bool kernel_on_other_stack(const void *address);
/* Results are those of the kernel: a negative error number on failure; errno is not touched. */
long kernel_call(long number, long a, long b, long c, long d, long e, long f);
long kernel_open(const char *path, int flags, int mode);
long kernel_write(int fd, const void *bytes, size_t size);
long kernel_read(int fd, void *bytes, size_t size);
long kernel_close(int fd);
long kernel_readlink(const char *path, char *target, size_t size);
/* Of a path that the kernel gave, without what it says behind that of a file that is deleted. */
size_t kernel_name_bytes(const char *path, size_t length);
long kernel_seek(int fd, int64_t offset, int whence);
long kernel_status_flags(int fd);
/* The lowest free number from `lowest` on. */
long kernel_duplicate(int fd, int lowest);
/* A file's owner may read and write it. */
void kernel_allow_owner(int fd);
/* Which file it is, whatever its name. */
struct file_identity {
    uint64_t device;
    uint64_t number;
};
/* The file that a descriptor leads to; false when it is not open. */
bool kernel_identity(int fd, struct file_identity *identity);
/* The file of that name, symbolic links not followed. */
bool kernel_identity_of(const char *path, struct file_identity *identity);
/* Whether what stands there can be read, as far as a path would go. */
bool kernel_is_text(const void *address);
long kernel_truncate(int fd, int64_t size);
long kernel_make_folder(const char *path);

/* ---- call stacks: stacks/stack.c ---- */

/* Depth and sampling as in `settings`. */
void stacks_begin(unsigned depth, unsigned one_of);
struct walk;
/* Number of the stack that led to the wrapper whose frame this is; 0: none. `walk`: the thread's last one. */
uint32_t stack_here(void *frame_of_wrapper, struct walk *walk);
/* In a forked child: numbers begin anew. `had_threads`: the parent had several. */
void stacks_forget(bool had_threads);

#endif
