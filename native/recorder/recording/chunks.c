/*
 * Chunks: events of a thread, or definitions, gathered and written to the end of the file in one piece
 * (docs/recording-format.md).
 */
#include "calls.h"
#include "definitions.h"
#include "file.h"

/* Where what is gathered would be lost with the process the first chunks are short, and each may be twice as long. */
#define FIRST_CHUNK_BYTES 1024
/* Threads without a buffer's destructor (see buffer_of_dead_thread) looked at for each new thread. */
#define MOST_LOOKED_AT 8

bool recorder_ending;
uint64_t events_ended_at;

static struct buffer *buffers;
/* Events of threads that got no buffer. */
static uint32_t lost_elsewhere;
/* 0: free, 1: held, 2: held, and others wait. */
static int lock;
static uint32_t chunk_number;
/* Of events. */
static uint64_t written_bytes;
/* The file is there, and begins with the definition of this process. */
static bool is_begun;

/* Waits in the kernel: spinning, a thread of high priority would keep the one that has the lock from the processor. */
void definitions_lock(signal_mask *before)
{
    signals_block(before);
    // A tool such as the thread sanitizer may call the program's functions from any of the C library's.
    recorder_thread.inside++;
    int free = 0;
    if (__atomic_compare_exchange_n(&lock, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return;
    while (__atomic_exchange_n(&lock, 2, __ATOMIC_ACQUIRE) != 0) kernel_wait(&lock, 2);
}

void definitions_unlock(const signal_mask *before)
{
    if (__atomic_exchange_n(&lock, 0, __ATOMIC_RELEASE) == 2) kernel_wake(&lock);
    recorder_thread.inside--;
    signals_restore(before);
}

/* ---- writing ---- */

/* Fills the header of a chunk whose payload stands behind it, and the payload up; returns the chunk's bytes. */
static size_t finish_chunk(uint8_t *chunk, uint32_t kind, uint32_t used, uint64_t base, uint32_t thread,
                           uint32_t records, uint32_t lost)
{
    static const uint8_t NOTHING[8];
    uint8_t *payload = chunk + CHUNK_HEADER_BYTES;
    uint32_t size = (used + 7) & ~7u;
    copy_bytes(payload + used, NOTHING, size - used);
    struct chunk_header header = {.kind = kind, .bytes = size, .base = base, .thread = thread, .records = records};
    header.lost = lost;
    header.number = chunk_number;
    /* At once: a process that is killed meanwhile leaves a slot that is none, and no chunk yet. */
    chunk_seal(&header, payload, size);
    copy_bytes(chunk, &header, sizeof header);
    return CHUNK_HEADER_BYTES + size;
}

static bool begin_file(void)
{
    if (is_begun) return true;
    static uint8_t head[16 + CHUNK_HEADER_BYTES + MOST_PROCESS_BYTES + 64];
    memcpy(head, "IOLENSRC\2\0\20\0\0\0\0\0", 16);
    struct definition process = {head + 16 + CHUNK_HEADER_BYTES, head + 16 + CHUNK_HEADER_BYTES + 4};
    process.start[0] = DEFINE_PROCESS;
    define_process(&process);
    definition_end(&process);
    uint32_t used = (uint32_t)(process.at - process.start);
    size_t size = finish_chunk(head + 16, KIND_DEFINITIONS, used, 0, (uint32_t)kernel_process(), 1, 0);
    if (!file_append(head, 16 + size)) return false;
    is_begun = true;
    chunk_number++;
    return true;
}

static bool write_chunk(uint8_t *chunk, size_t size)
{
    if (!file_append(chunk, size)) return false;
    chunk_number++;
    return true;
}

bool definitions_write(void)
{
    if (!begin_file()) return false;
    if (definitions.used == 0) return true;
    size_t size = finish_chunk(definitions.bytes, KIND_DEFINITIONS, definitions.used, 0, (uint32_t)kernel_process(),
                               definitions.records, 0);
    if (!write_chunk(definitions.bytes, size)) return false;
    definitions.used = 0;
    definitions.records = 0;
    live_definitions(NULL, 0, 0, 0);
    return true;
}

/* With the lock held. */
static void end_events(void)
{
    struct definition definition;
    if (!definition_begin(&definition, DEFINE_LIMIT, 20)) return;
    uint64_t now = monotonic_time();
    define(&definition, now);
    define(&definition, settings.most_bytes);
    definition_end(&definition);
    __atomic_store_n(&events_ended_at, now, __ATOMIC_RELEASE);
}

static void write_events(struct buffer *buffer, uint8_t *chunk, uint64_t filled)
{
    uint32_t elsewhere = __atomic_load_n(&lost_elsewhere, __ATOMIC_RELAXED);
    uint32_t lost = buffer->lost + elsewhere;
    if (filled == 0 && lost == 0) return;
    uint64_t base = filled == 0 ? monotonic_time() : buffer->base;
    size_t size = finish_chunk(chunk, KIND_EVENTS, buffer_used(filled), base, buffer->thread, buffer_records(filled), lost);
    if (write_chunk(chunk, size)) {
        buffer->lost = 0;
        __atomic_fetch_sub(&lost_elsewhere, elsewhere, __ATOMIC_RELAXED);
        written_bytes += size;
        if (settings.most_bytes > 0 && events_ended_at == 0 && written_bytes >= settings.most_bytes) end_events();
    } else buffer->lost += buffer_records(filled);
}

/* With the lock held. What could not be written is lost, and counted; definitions are kept. */
static void write_locked(struct buffer *buffer, uint8_t *chunk, uint64_t filled)
{
    if (filled == 0 && buffer->lost == 0 && lost_elsewhere == 0 && definitions.used == 0) return;
    if (definitions_write()) write_events(buffer, chunk, filled);
    else buffer->lost += buffer_records(filled);
}

static void empty(struct buffer *buffer)
{
    buffer->last_stack = 0;
    __atomic_store_n(&buffer->filled, 0, __ATOMIC_RELEASE);
    if (buffer->limit > 0) live_empty(buffer->bytes, KIND_EVENTS, buffer->thread);
}

/* The file begins; what is gathered from now on is a part of it, if that can be. */
static void begin(bool has_threads)
{
    file_hold(true);
    if (!is_begun && begin_file() && live_begin(chunk_number)) {
        chunk_number++;
        if (definitions.used > 0)
            live_definitions(definitions.bytes + CHUNK_HEADER_BYTES, 0, definitions.used, definitions.records);
    }
    if (has_threads && live_begin_threads(chunk_number)) chunk_number++;
    file_hold(false);
}

/* With the lock held, and nothing in the buffer. */
static void make_room(struct buffer *buffer)
{
    if (buffer->limit > 0) {
        bool is_short = buffer->bytes == buffer->own && buffer->limit < CHUNK_BYTES;
        if (is_short) buffer->limit *= 2;
        return;
    }
    if (!is_begun) begin(false);
    uint8_t *slot = live_take_slot();
    buffer->bytes = slot == NULL ? buffer->own : slot;
    buffer->limit = slot == NULL ? FIRST_CHUNK_BYTES : SLOT_PAYLOAD;
    empty(buffer);
}

/* With the lock held. What was written already is not written again; what came between that and now is lost. */
static void write_and_empty(struct buffer *buffer)
{
    uint64_t waiting = tallies_define(buffer->tallies, buffer->thread);
    if (tallies_are_full(buffer->tallies)) {
        buffer->lost += (uint32_t)waiting;
        tallies_empty(buffer->tallies);
    }
    if (buffer->written == 0) write_locked(buffer, buffer->bytes, buffer->filled);
    else buffer->lost += buffer_records(buffer->filled) - buffer_records(buffer->written);
    buffer->written = 0;
    empty(buffer);
}

void buffer_write(struct buffer *buffer)
{
    signal_mask before;
    definitions_lock(&before);
    if (buffer->limit > 0) write_and_empty(buffer);
    make_room(buffer);
    definitions_unlock(&before);
}

/* With the lock held. A process of which nothing was recorded has no file, and gets none by this. */
static void write_life(void)
{
    struct definition definition;
    if (!is_begun || !definition_begin(&definition, DEFINE_LIFE, 8 * 10)) return;
    define_life(&definition);
    definition_end(&definition);
    definitions_write();
}

void buffers_write_all(enum next next)
{
    // Their threads add events meanwhile: only a copy has an end that can be filled up, and only they may empty them.
    static uint8_t copy[CHUNK_HEADER_BYTES + CHUNK_BYTES];
    signal_mask before;
    definitions_lock(&before);
    file_hold(true);
    if (next == ENDS) chunk_number -= live_release();
    for (struct buffer *buffer = buffers; buffer != NULL; buffer = buffer->next) {
        uint64_t filled = __atomic_load_n(&buffer->filled, __ATOMIC_ACQUIRE);
        tallies_define(buffer->tallies, buffer->thread);
        if (!buffer->taken || buffer->written != 0) continue;
        uint64_t kept = next == ENDS ? live_kept(buffer->bytes, filled) : filled;
        buffer->lost += buffer_records(filled) - buffer_records(kept);
        copy_bytes(copy + CHUNK_HEADER_BYTES, buffer->bytes + CHUNK_HEADER_BYTES, buffer_used(kept));
        write_locked(buffer, copy, kept);
        buffer->written = filled;
        if (buffer->limit > 0) live_filled(buffer->bytes, 0);
    }
    if (definitions.used > 0) definitions_write();
    if (next != GOES_ON) write_life();
    file_hold(false);
    definitions_unlock(&before);
}

/* With the lock held. */
static void keep_file_open(void)
{
    if (file_stay_open()) begin(true);
}

void buffers_before_thread(void)
{
    signal_mask before;
    definitions_lock(&before);
    keep_file_open();
    definitions_unlock(&before);
}

void recorder_give_file(unsigned user)
{
    if (recorder_state == ACTIVE) file_give_to((long)user);
}

/* ---- buffers ---- */

/*
 * Threads can end without giving theirs back: by the system call exit, or when the last round of destructors does I/O. A
 * few are looked at for each new thread, so that there are not ever more of them.
 */
static struct buffer *buffer_of_dead_thread(void)
{
    static struct buffer *next;
    for (unsigned looked = 0; looked < MOST_LOOKED_AT && buffers != NULL; looked++) {
        struct buffer *buffer = next == NULL ? buffers : next;
        next = buffer->next;
        if (kernel_has_thread((int)buffer->thread)) continue;
        write_and_empty(buffer);
        return buffer;
    }
    return NULL;
}

static struct buffer *new_buffer(void)
{
    struct buffer *buffer = kernel_memory(sizeof *buffer);
    if (buffer == NULL) return NULL;
    buffer->bytes = buffer->own;
    buffer->next = buffers;
    buffers = buffer;
    return buffer;
}

struct buffer *buffer_take(void)
{
    signal_mask before;
    definitions_lock(&before);
    struct buffer *buffer = buffers;
    while (buffer != NULL && buffer->taken) buffer = buffer->next;
    // There is another thread, which may not have been made by a function that we stand in front of.
    if (buffer != buffers) keep_file_open();
    if (buffer == NULL) buffer = buffer_of_dead_thread();
    if (buffer == NULL) buffer = new_buffer();
    if (buffer != NULL) {
        buffer->taken = 1;
        buffer->written = 0;
        buffer->thread = (uint32_t)kernel_thread();
        tallies_empty(buffer->tallies);
        // Those of another thread lie on its stack.
        buffer->walk.count = 0;
        buffer->walk.is_busy = false;
        empty(buffer);
    }
    definitions_unlock(&before);
    return buffer;
}

void buffer_release(struct buffer *buffer)
{
    signal_mask before;
    definitions_lock(&before);
    write_and_empty(buffer);
    buffer->taken = 0;
    definitions_unlock(&before);
}

bool buffers_of_threads(void)
{
    return buffers != NULL && buffers->next != NULL;
}

void chunks_lost_one(void)
{
    __atomic_fetch_add(&lost_elsewhere, 1, __ATOMIC_RELAXED);
}

void chunks_forget(struct buffer *own, struct buffer *abandoned)
{
    file_forget();
    live_forget(abandoned != NULL);
    uint32_t thread = (uint32_t)kernel_thread();
    lock = 0;
    lost_elsewhere = 0;
    for (struct buffer **at = &buffers; *at != NULL && abandoned != NULL; at = &(*at)->next)
        if (*at == abandoned) {
            *at = abandoned->next;
            break;
        }
    definitions.used = 0;
    definitions.records = 0;
    is_begun = false;
    chunk_number = 0;
    written_bytes = 0;
    events_ended_at = 0;
    recorder_ending = false;
    for (struct buffer *buffer = buffers; buffer != NULL; buffer = buffer->next) {
        buffer->taken = buffer == own;
        buffer->written = 0;
        buffer->limit = 0;
        buffer->lost = 0;
        buffer->thread = thread;
        tallies_empty(buffer->tallies);
        empty(buffer);
    }
}
