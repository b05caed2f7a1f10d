/*
 * Chunks: events of a thread, or definitions, gathered and written to the end of the file in one piece
 * (docs/recording-format.md). The file is opened for each write and closed again: programs close descriptors that they do
 * not know, and give their numbers to files of their own.
 */
#include "chunks.h"
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CHUNK_MAGIC 0x4b4e4843u
#define KIND_DEFINITIONS 1
#define KIND_EVENTS 2
/* Definitions are written before they reach this; while the disk is full they wait, and no more are taken. */
#define DEFINITION_BYTES (1u << 20)
#define DEFINITIONS_FULL_ENOUGH 32768

bool recorder_ending;

static struct buffer *buffers;
static int lock;
static struct {
    uint8_t *bytes;
    uint32_t used;
    uint32_t records;
} definitions;
static char file_name[sizeof settings.folder + 320];
static bool file_begun;
static uint32_t chunk_number;

void definitions_lock(signal_mask *before)
{
    signals_block(before);
    for (unsigned spins = 0; __atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0; spins++)
        if (spins > 100) sched_yield();
}

void definitions_unlock(const signal_mask *before)
{
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    signals_restore(before);
}

/* ---- writing ---- */

static void store32(uint8_t *at, uint32_t value)
{
    memcpy(at, &value, sizeof value);
}

static uint32_t checksum(const uint8_t *bytes, uint32_t size)
{
    uint32_t sum = 0x811c9dc5u ^ size;
    for (uint32_t i = 0; i < size; i += 4) {
        uint32_t word;
        memcpy(&word, bytes + i, sizeof word);
        sum ^= word;
        sum = (sum << 5 | sum >> 27) * 0x9e3779b1u;
    }
    return sum;
}

/* Fills the header of a chunk whose payload stands behind it, and the payload up; returns the chunk's bytes. */
static size_t finish_chunk(uint8_t *chunk, uint32_t kind, uint32_t used, uint64_t base, uint32_t thread,
                           uint32_t records, uint32_t lost)
{
    uint8_t *payload = chunk + CHUNK_HEADER_BYTES;
    uint32_t size = (used + 7) & ~7u;
    memset(payload + used, 0, size - used);
    store32(chunk, CHUNK_MAGIC);
    store32(chunk + 4, kind);
    store32(chunk + 8, size);
    store32(chunk + 12, checksum(payload, size));
    memcpy(chunk + 16, &base, sizeof base);
    store32(chunk + 24, thread);
    store32(chunk + 28, records);
    store32(chunk + 32, lost);
    store32(chunk + 36, chunk_number);
    return CHUNK_HEADER_BYTES + size;
}

static void make_folders(void)
{
    char path[sizeof settings.folder];
    strcpy(path, settings.folder);
    for (char *slash = path + 1; *slash != 0; slash++) {
        if (*slash != '/') continue;
        *slash = 0;
        kernel_make_folder(path);
        *slash = '/';
    }
    kernel_make_folder(path);
}

static void name_file(void)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    for (char *at = host; *at != 0; at++)
        if (*at == '/') *at = '_';
    snprintf(file_name, sizeof file_name, "%s/%s-%d-%llx.iorec", settings.folder, host, kernel_process(),
             (unsigned long long)monotonic_time());
}

static long open_file(void)
{
    if (file_begun) return kernel_open(file_name, O_WRONLY | O_APPEND | O_NOFOLLOW, 0);
    name_file();
    int flags = O_WRONLY | O_APPEND | O_CREAT | O_EXCL;
    long fd = kernel_open(file_name, flags, 0666);
    if (fd != -ENOENT) return fd;
    make_folders();
    return kernel_open(file_name, flags, 0666);
}

/*
 * Writes all or nothing: of a chunk of which only a part had room nothing is left. A limit on the size of files
 * (RLIMIT_FSIZE) would end the program by SIGXFSZ for what is not its own doing: the signal is taken away again.
 */
static bool write_whole(int fd, const uint8_t *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        long result = kernel_write(fd, bytes + done, size - done);
        if (result == -EINTR) continue;
        if (result == -EFBIG) {
            signal_mask exceeded = (signal_mask)1 << (SIGXFSZ - 1);
            struct timespec nothing = {0, 0};
            int before = errno;
            syscall(SYS_rt_sigtimedwait, &exceeded, NULL, &nothing, sizeof exceeded);
            errno = before;
        }
        if (result <= 0) break;
        done += (size_t)result;
    }
    if (done == size) return true;
    long end = done > 0 ? kernel_seek(fd, 0, SEEK_END) : -1;
    if (end >= (long)done) kernel_truncate(fd, end - (long)done);
    return false;
}

static bool begin_file(int fd)
{
    static uint8_t head[16 + CHUNK_HEADER_BYTES + MOST_PROCESS_BYTES + 64];
    memcpy(head, "IOLENSRC\1\0\20\0\0\0\0\0", 16);
    struct definition process = {head + 16 + CHUNK_HEADER_BYTES, head + 16 + CHUNK_HEADER_BYTES + 4};
    process.start[0] = DEFINE_PROCESS;
    define_process(&process);
    definition_end(&process);
    uint32_t used = (uint32_t)(process.at - process.start);
    size_t size = finish_chunk(head + 16, KIND_DEFINITIONS, used, 0, (uint32_t)kernel_process(), 1, 0);
    if (!write_whole(fd, head, 16 + size)) return false;
    file_begun = true;
    chunk_number++;
    return true;
}

static bool write_chunk(int fd, uint8_t *chunk, size_t size)
{
    if (!write_whole(fd, chunk, size)) return false;
    chunk_number++;
    return true;
}

static bool write_definitions(int fd)
{
    if (definitions.used == 0) return true;
    size_t size = finish_chunk(definitions.bytes, KIND_DEFINITIONS, definitions.used, 0, (uint32_t)kernel_process(),
                               definitions.records, 0);
    if (!write_chunk(fd, definitions.bytes, size)) return false;
    definitions.used = 0;
    definitions.records = 0;
    return true;
}

/* With the lock held. What could not be written is lost, and counted; definitions are kept. */
static void write_locked(struct buffer *buffer)
{
    uint32_t used = buffer->used;
    bool is_written = false;
    long fd = open_file();
    if (fd >= 0) {
        is_written = (file_begun || begin_file((int)fd)) && write_definitions((int)fd);
        if (is_written && used > 0) {
            size_t size = finish_chunk(buffer->bytes, KIND_EVENTS, used, buffer->base, buffer->thread, buffer->records,
                                       buffer->lost);
            is_written = write_chunk((int)fd, buffer->bytes, size);
        }
        kernel_close((int)fd);
    }
    if (is_written) buffer->lost = 0;
    else buffer->lost += buffer->records;
}

static void empty(struct buffer *buffer)
{
    buffer->records = 0;
    buffer->last_stack = 0;
    buffer->used = 0;
}

void buffer_write(struct buffer *buffer)
{
    signal_mask before;
    definitions_lock(&before);
    if (!__atomic_exchange_n(&buffer->written, 0, __ATOMIC_ACQ_REL)) write_locked(buffer);
    empty(buffer);
    definitions_unlock(&before);
}

void buffers_write_all(void)
{
    signal_mask before;
    definitions_lock(&before);
    for (struct buffer *buffer = buffers; buffer != NULL; buffer = buffer->next) {
        if (!buffer->taken || buffer->written || (buffer->used == 0 && definitions.used == 0)) continue;
        write_locked(buffer);
        // Its thread may be about to add an event: only it may empty it.
        buffer->written = 1;
    }
    definitions_unlock(&before);
}

/* ---- buffers ---- */

struct buffer *buffer_take(void)
{
    signal_mask before;
    definitions_lock(&before);
    struct buffer *buffer = buffers;
    while (buffer != NULL && buffer->taken) buffer = buffer->next;
    if (buffer == NULL) {
        buffer = kernel_memory(sizeof *buffer);
        if (buffer != NULL) {
            buffer->next = buffers;
            buffers = buffer;
        }
    }
    if (buffer != NULL) {
        buffer->taken = 1;
        buffer->written = 0;
        buffer->thread = (uint32_t)kernel_thread();
        buffer->lost = 0;
        empty(buffer);
    }
    definitions_unlock(&before);
    return buffer;
}

void buffer_release(struct buffer *buffer)
{
    if (buffer->used > 0 || buffer->lost > 0) buffer_write(buffer);
    __atomic_store_n(&buffer->taken, 0, __ATOMIC_RELEASE);
}

void chunks_forget(struct buffer *own)
{
    lock = 0;
    definitions.used = 0;
    definitions.records = 0;
    file_begun = false;
    chunk_number = 0;
    recorder_ending = false;
    for (struct buffer *buffer = buffers; buffer != NULL; buffer = buffer->next) {
        buffer->taken = buffer == own;
        buffer->written = 0;
        buffer->lost = 0;
        empty(buffer);
    }
    if (own != NULL) own->thread = (uint32_t)kernel_thread();
}

/* ---- definitions ---- */

bool definition_begin(struct definition *definition, enum definition_kind kind, size_t bytes)
{
    if (definitions.bytes == NULL) {
        definitions.bytes = kernel_memory(CHUNK_HEADER_BYTES + DEFINITION_BYTES + 8);
        if (definitions.bytes == NULL) return false;
    }
    if (definitions.used + bytes > DEFINITIONS_FULL_ENOUGH) {
        long fd = open_file();
        if (fd >= 0) {
            if (file_begun || begin_file((int)fd)) write_definitions((int)fd);
            kernel_close((int)fd);
        }
    }
    if (definitions.used + bytes + 4 > DEFINITION_BYTES) return false;
    definition->start = definitions.bytes + CHUNK_HEADER_BYTES + definitions.used;
    // Kind, and the length in three bytes whatever it is: it is known only in the end.
    definition->start[0] = (uint8_t)kind;
    definition->at = definition->start + 4;
    return true;
}

void define(struct definition *definition, uint64_t value)
{
    definition->at = encode(definition->at, value);
}

void define_signed(struct definition *definition, int64_t value)
{
    define(definition, zigzag(value));
}

void define_text(struct definition *definition, const void *text, size_t bytes)
{
    define(definition, bytes);
    memcpy(definition->at, text, bytes);
    definition->at += bytes;
}

void definition_end(struct definition *definition)
{
    uint32_t length = (uint32_t)(definition->at - definition->start - 4);
    definition->start[1] = (uint8_t)(length | 0x80);
    definition->start[2] = (uint8_t)(length >> 7 | 0x80);
    definition->start[3] = (uint8_t)(length >> 14 & 0x7f);
    uint8_t *buffer = definitions.bytes + CHUNK_HEADER_BYTES;
    if (definitions.bytes == NULL || definition->start < buffer || definition->start >= buffer + DEFINITION_BYTES) return;
    definitions.used += 4 + length;
    definitions.records++;
}
