/* From a call of a wrapper to an event in the thread's buffer. */
#include "calls.h"
#include <pthread.h>

__thread struct thread recorder_thread;

static pthread_key_t ending;
static bool ending_known;

/* Of more keys than these the GNU C library allocates the values, and an allocator's call may be what is recorded. */
#define KEYS_WITHOUT_ALLOCATION 32

void calls_begin(void)
{
    if (pthread_key_create(&ending, thread_end) != 0) return;
    ending_known = ending < KEYS_WITHOUT_ALLOCATION;
    // Buffers of threads that have ended are found (chunks.c).
    if (!ending_known) pthread_key_delete(ending);
}

/* Nanoseconds that the recorder took of the first thread's time. */
static uint64_t taken_of_first;

void calls_take(uint64_t nanoseconds)
{
    __atomic_fetch_add(&taken_of_first, nanoseconds, __ATOMIC_RELAXED);
}

uint64_t calls_taken(void)
{
    return __atomic_load_n(&taken_of_first, __ATOMIC_RELAXED);
}

void calls_forget(struct thread *thread)
{
    taken_of_first = 0;
    thread->committing = false;
    thread->vfork_parent = 0;
    thread->vfork_child = 0;
    thread->is_shared = false;
    thread->commits = 0;
}

void thread_end(void *given)
{
    if (recorder_state != ACTIVE) return;
    struct buffer *buffer = given;
    if (recorder_thread.buffer == buffer) recorder_thread.buffer = NULL;
    buffer_release(buffer);
}

static struct buffer *thread_buffer(void)
{
    struct thread *thread = &recorder_thread;
    if (LIKELY(thread->buffer != NULL)) return thread->buffer;
    int before = errno;
    signal_mask mask;
    signals_block(&mask);
    if (thread->buffer == NULL) thread->buffer = buffer_take();
    if (thread->buffer != NULL && ending_known) pthread_setspecific(ending, thread->buffer);
    signals_restore(&mask);
    errno = before;
    return thread->buffer;
}

/* In the child of a vfork everything belongs to the parent, which stands still: nothing is recorded until it goes on. */
bool recorder_is_here(struct thread *thread)
{
    if (LIKELY(thread->vfork_parent == 0)) return true;
    if (kernel_process() != thread->vfork_parent) return false;
    if (!thread->is_shared) thread->vfork_parent = 0;
    int child = thread->vfork_child;
    thread->vfork_child = 0;
    if (child != 0) recorder_made_process(child);
    return true;
}

/* Whether the thread may record: it is not the recorder itself that calls, and no child of vfork. */
static inline bool may_record(struct thread *thread)
{
    if (UNLIKELY(*recorder_memory == 0)) recorder_forked();
    return LIKELY(thread->inside == 0) && recorder_is_here(thread);
}

/*
 * Libraries call their own public functions. What the program called is the outermost call; one that the program left by
 * a jump or an exception is told by its frame, which is below that of the next call.
 */
static bool enters_layer(struct thread *thread, struct call *call)
{
    if (thread->under_way != 0 && (uintptr_t)call->frame >= (uintptr_t)thread->under_way_frame) thread->under_way = 0;
    unsigned layer = 1u << call->function->layer;
    if ((thread->under_way & layer) != 0) return false;
    // Messages by which processes agree on how they write are part of the writing.
    if (call->function->layer == LAYER_MPI && (thread->under_way >> LAYER_MPI_IO & 1) != 0) return false;
    call->outer_layers = thread->under_way;
    call->outer_frame = thread->under_way_frame;
    thread->under_way |= layer;
    thread->under_way_frame = call->frame;
    return true;
}

bool call_begin_from(struct call *call, struct function *function, void *frame)
{
    if (UNLIKELY(recorder_state != ACTIVE) && !recorder_start()) return false;
    if ((settings.layers >> function->layer & 1) == 0) return false;
    struct thread *thread = &recorder_thread;
    if (UNLIKELY(!may_record(thread))) return false;
    call->function = function;
    call->frame = frame;
    if (function->layer > LAYER_STDIO && !enters_layer(thread, call)) return false;
    call->start = monotonic_time();
    return true;
}

bool call_end(struct call *call)
{
    call->error = errno;
    call->generation = generation;
    call->end = monotonic_time();
    call->at = call->arguments;
    if (call->function->layer > LAYER_STDIO) {
        recorder_thread.under_way = call->outer_layers;
        recorder_thread.under_way_frame = call->outer_frame;
    }
    return true;
}

void call_unfinished(struct call *call)
{
    call->error = errno;
    call->generation = generation;
    call->end = call->start;
    call->at = call->arguments;
}

bool call_mark(struct call *call, struct function *function)
{
    if (UNLIKELY(recorder_state != ACTIVE) && !recorder_start()) return false;
    if (UNLIKELY(!may_record(&recorder_thread))) return false;
    call->function = function;
    call->frame = NULL;
    call->error = errno;
    call->generation = generation;
    call->start = call->end = monotonic_time();
    call->at = call->arguments;
    return true;
}

static uint32_t function_number(struct function *function)
{
    uint64_t defined = __atomic_load_n(&function->defined, __ATOMIC_ACQUIRE);
    if (LIKELY(defined >> 32 == generation + 1u)) return (uint32_t)defined;
    static uint32_t last;
    static uint32_t last_generation;
    uint32_t number = 0;
    signal_mask before;
    definitions_lock(&before);
    defined = function->defined;
    if (defined >> 32 == generation + 1u) number = (uint32_t)defined;
    else {
        size_t name = strlen(function->name), roles = strlen(function->roles);
        struct definition definition;
        if (last_generation != generation) last = 0;
        if (definition_begin(&definition, DEFINE_FUNCTION, name + roles + 32)) {
            last_generation = generation;
            number = ++last;
            define(&definition, number);
            define(&definition, function->layer);
            define_text(&definition, function->name, name);
            define_text(&definition, function->roles, roles);
            definition_end(&definition);
            __atomic_store_n(&function->defined, (uint64_t)(generation + 1u) << 32 | number, __ATOMIC_RELEASE);
        }
    }
    definitions_unlock(&before);
    return number;
}

/* Adds the event to the buffer; there is room. */
static void add(struct buffer *buffer, const struct call *call, uint32_t number, uint32_t stack)
{
    uint64_t filled = buffer->filled;
    if (filled == 0) {
        buffer->last_end = buffer->base = call->end;
        live_base(buffer->bytes, call->end);
    }
    // A signal handler's calls end before the one that it interrupted is added.
    uint64_t end = call->end > buffer->last_end ? call->end : buffer->last_end;
    uint8_t *at = buffer->bytes + CHUNK_HEADER_BYTES + buffer_used(filled);
    uint8_t *start = at;
    at = encode(at, number);
    at = encode(at, end - buffer->last_end);
    at = encode(at, end - call->start);
    at = encode(at, zigzag((int64_t)stack - buffer->last_stack));
    size_t size = (size_t)(call->at - call->arguments);
    copy_bytes(at, call->arguments, size);
    buffer->last_end = end;
    buffer->last_stack = stack;
    filled += ONE_RECORD + (uint64_t)(at + size - start);
    __atomic_store_n(&buffer->filled, filled, __ATOMIC_RELEASE);
    live_filled(buffer->bytes, filled);
}

/*
 * Whether a handler with this frame interrupted the function with that one, or comes after one that was left by a jump out
 * of a handler and will never end: frames of handlers lie below, or on a stack of their own.
 */
static bool interrupts(void *frame, void *interrupted)
{
    bool is_elsewhere = kernel_on_other_stack(frame);
    if (is_elsewhere != kernel_on_other_stack(interrupted)) return is_elsewhere;
    return (uintptr_t)frame < (uintptr_t)interrupted;
}

/* What stands in front of the arguments of an event, at most. */
#define MOST_HEAD_BYTES 40

/* Makes room; from then on no signal handler adds anything, but one may as long as that takes. */
static void begin_adding(struct thread *thread, struct buffer *buffer)
{
    bool is_counted = events_ended_at != 0;
    for (;;) {
        thread->committing = true;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        // What is written was so by the thread that ends the process: the chunk is gone, and so are its times.
        bool is_full = buffer_used(buffer->filled) + MOST_HEAD_BYTES + MOST_ARGUMENT_BYTES > buffer->limit;
        if (UNLIKELY(is_counted)) is_full = tallies_are_full(buffer->tallies);
        if (LIKELY(!is_full && buffer->written == 0)) return;
        thread->committing = false;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        buffer_write(buffer);
    }
}

/* In place of an event. What the recorder notes beside calls would be of no use: there is nothing that it stands for. */
static void count(struct buffer *buffer, const struct call *call, uint32_t number, uint32_t stack)
{
    if (call->function->layer == LAYER_RECORDER) return;
    if (!tallies_add(&buffer->tallies, call, number, stack)) buffer->lost++;
}

/* Whether what the thread has gathered is to be written although there is room for more. */
static bool is_due(const struct buffer *buffer, uint64_t now)
{
    if (UNLIKELY(recorder_ending)) return true;
    if (UNLIKELY(tallies_are_due(buffer->tallies, now))) return true;
    return buffer->filled > 0 && now > buffer->base && now - buffer->base > LONGEST_BUFFERED;
}

/* All of a thread's first events are timed, for they find new stacks and modules; then one of so many stands for all. */
#define ALL_TIMED 64
#define TIMED_OF 32
/* What takes longer lost the processor, or wrote a chunk: it stands for itself. Nanoseconds. */
#define LONGEST_COMMIT 100000

/* Notes what the recorder took of the first thread's time with this event, and with those that it stands for. */
static inline void note_time(struct thread *thread, const struct buffer *buffer, const struct call *call)
{
    uint32_t commits = thread->commits++;
    if (LIKELY(commits >= ALL_TIMED && commits % TIMED_OF != 0)) return;
    if (buffer != thread->buffer || buffer->thread != (uint32_t)recorder_process) return;
    uint64_t done = monotonic_time();
    // The clock was read once besides within the call, and once around it.
    uint64_t clock = monotonic_time() - done;
    uint64_t taken = done - call->end + clock;
    calls_take(commits < ALL_TIMED || taken > LONGEST_COMMIT ? taken : taken * TIMED_OF);
}

void call_commit(struct call *call)
{
    struct thread *thread = &recorder_thread;
    struct buffer *buffer = thread_buffer();
    if (buffer == NULL) {
        chunks_lost_one();
        errno = call->error;
        return;
    }
    void *frame = __builtin_frame_address(0);
    if (UNLIKELY(thread->committing && interrupts(frame, thread->committing_frame))) {
        buffer->lost++;
        errno = call->error;
        return;
    }
    uint32_t stack = settings.stack_depth == 0 || call->frame == NULL ? 0 : stack_here(call->frame, &buffer->walk);
    uint32_t number = function_number(call->function);
    // Put back in the end: this may be a handler that came between the next two lines of another commit.
    void *outer_frame = thread->committing_frame;
    thread->committing_frame = frame;
    begin_adding(thread, buffer);
    // A handler forked, and this is the child: the event is the parent's, and its numbers mean nothing here.
    bool is_ours = call->generation == generation && buffer == thread->buffer;
    if (LIKELY(is_ours && number != 0 && events_ended_at == 0)) add(buffer, call, number, stack);
    else if (is_ours && number != 0) count(buffer, call, number, stack);
    else if (is_ours) buffer->lost++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    thread->committing = false;
    thread->committing_frame = outer_frame;
    if (UNLIKELY(is_due(buffer, call->end)) && is_ours && buffer == thread->buffer) buffer_write(buffer);
    note_time(thread, buffer, call);
    errno = call->error;
}
