/* Areas of the file that are memory of the process. */
#include "live.h"
#include "file.h"
#include <sys/auxv.h>

#define CHUNK_MAGIC 0x4b4e4843u
#define LIVE_MAGIC 0x4556494cu

/* Threads that have a slot besides the first; of further ones it is lost with the process what they have gathered. */
#define SLOTS_OF_THREADS 15

struct area {
    /* Stays where it is, whatever it leads to. */
    uint8_t *memory;
    uint32_t slots;
    uint32_t taken;
    bool is_mapped;
    /* Of each slot, what its private copy has, if the last call of live_release made one (see live_kept). */
    uint64_t kept[SLOTS_OF_THREADS];
    bool is_detached;
    /* Where its chunk begins in the file, and where it ends. */
    int64_t start;
    int64_t end;
};

/* The slot of the definitions, and that of the first thread. */
static struct area first = {.slots = 2};
static struct area threads = {.slots = SLOTS_OF_THREADS};
static struct area *const areas[] = {&first, &threads};
#define AREAS (sizeof areas / sizeof *areas)
static bool is_spoiled;

static size_t page_bytes(void)
{
    return getauxval(AT_PAGESZ);
}

static size_t bytes_of(const struct area *area)
{
    return ((size_t)area->slots * SLOT_BYTES + page_bytes() - 1) & -page_bytes();
}

static void store32(uint8_t *at, uint32_t value)
{
    memcpy(at, &value, sizeof value);
}

static uint32_t add_to_sum(uint32_t sum, const void *bytes, uint32_t size)
{
    for (uint32_t i = 0; i < size; i += 4) {
        uint32_t word;
        memcpy(&word, (const uint8_t *)bytes + i, sizeof word);
        sum ^= word;
        sum = (sum << 5 | sum >> 27) * 0x9e3779b1u;
    }
    return sum;
}

void chunk_seal(struct chunk_header *header, const uint8_t *payload, uint32_t size)
{
    header->magic = CHUNK_MAGIC;
    header->sum = 0;
    header->sum = add_to_sum(add_to_sum(0x811c9dc5u ^ size, payload, size), header, sizeof *header);
}

/* The room is written, so that a full disk is known now and not by a signal later. */
static bool map(struct area *area, uint32_t number)
{
    if (is_spoiled || area->is_mapped || !file_keeps_room()) return false;
    if (area->memory == NULL) area->memory = kernel_memory(bytes_of(area));
    area->start = file_end();
    if (area->memory == NULL || area->start < 0) return false;
    uint32_t in_front = (uint32_t)(-(uint64_t)(area->start + CHUNK_HEADER_BYTES) & (page_bytes() - 1));
    int64_t mapped = area->start + CHUNK_HEADER_BYTES + in_front;
    area->end = mapped + (int64_t)bytes_of(area);
    struct chunk_header header = {.kind = KIND_LIVE, .base = SLOT_BYTES, .thread = in_front, .records = area->slots};
    header.bytes = in_front + (uint32_t)bytes_of(area);
    header.number = number;
    // What stands in the slots changes.
    chunk_seal(&header, NULL, 0);
    if (!file_append((const uint8_t *)&header, sizeof header)) return false;
    // Zeros, as nothing has used the memory.
    area->is_mapped = file_append(area->memory, in_front) && file_append(area->memory, bytes_of(area)) &&
                      file_map(area->memory, mapped, bytes_of(area));
    if (!area->is_mapped) file_cut(area->start);
    area->taken = 0;
    return area->is_mapped;
}

bool live_begin(uint32_t number)
{
    if (!map(&first, number)) return false;
    first.taken = 1;
    live_empty(first.memory, KIND_DEFINITIONS, (uint32_t)kernel_process());
    return true;
}

bool live_begin_threads(uint32_t number)
{
    return first.is_mapped && map(&threads, number);
}

uint8_t *live_take_slot(void)
{
    for (unsigned i = 0; i < AREAS; i++)
        if (areas[i]->is_mapped && areas[i]->taken < areas[i]->slots)
            return areas[i]->memory + (size_t)areas[i]->taken++ * SLOT_BYTES;
    return NULL;
}

void live_forget(bool spoils)
{
    is_spoiled = spoils;
    for (unsigned i = 0; i < AREAS; i++) {
        // Another thread of the parent may have been mapping it.
        if (areas[i]->memory != NULL) kernel_memory_at(areas[i]->memory, bytes_of(areas[i]));
        areas[i]->is_mapped = false;
    }
}

/* Puts a private copy of the area in its place, of what stands in it. In the file nothing is left: it will be written. */
static bool detach(struct area *area)
{
    uint8_t *copy = kernel_memory(bytes_of(area));
    if (copy == NULL) return false;
    for (uint32_t i = 0; i < area->taken; i++) {
        size_t at = (size_t)i * SLOT_BYTES;
        // Its thread may add to it until the copy is in place: what comes between is in neither.
        uint64_t filled = __atomic_load_n((uint64_t *)(void *)(area->memory + at + 8), __ATOMIC_ACQUIRE);
        if ((uint32_t)filled > SLOT_PAYLOAD) filled = 0;
        copy_bytes(copy + at, area->memory + at, CHUNK_HEADER_BYTES + (uint32_t)filled);
        area->kept[i] = filled;
        live_filled(area->memory + at, 0);
    }
    area->is_detached = kernel_memory_move(copy, area->memory, bytes_of(area));
    area->is_mapped = !area->is_detached;
    return area->is_detached;
}

uint32_t live_release(void)
{
    for (unsigned i = 0; i < AREAS; i++) areas[i]->is_detached = false;
    if (!first.is_mapped) return 0;
    bool has_threads = threads.is_mapped;
    bool is_last = file_end() == (has_threads ? threads.end : first.end) && (!has_threads || threads.start == first.end);
    // Without memory for a copy they stay as they are.
    if ((has_threads && !detach(&threads)) || !detach(&first)) return 0;
    return is_last && file_cut(first.start) ? 1 + has_threads : 0;
}

uint64_t live_kept(const uint8_t *slot, uint64_t filled)
{
    for (unsigned i = 0; i < AREAS; i++) {
        const struct area *area = areas[i];
        if (!area->is_detached || slot < area->memory || slot >= area->memory + bytes_of(area)) continue;
        return area->kept[(size_t)(slot - area->memory) / SLOT_BYTES];
    }
    return filled;
}

void live_empty(uint8_t *slot, uint32_t kind, uint32_t thread)
{
    live_filled(slot, 0);
    store32(slot, LIVE_MAGIC);
    store32(slot + 4, kind);
    store32(slot + 24, thread);
}

void live_definitions(const uint8_t *payload, uint32_t from, uint32_t bytes, uint32_t records)
{
    // More wait only while they cannot be written.
    if (!first.is_mapped || bytes > SLOT_PAYLOAD) return;
    if (bytes > from) copy_bytes(first.memory + CHUNK_HEADER_BYTES + from, payload + from, bytes - from);
    live_filled(first.memory, (uint64_t)records << 32 | bytes);
}
