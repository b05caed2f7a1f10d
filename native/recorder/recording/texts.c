/* Texts by number: paths and names of objects, each defined when it is first used. */
#include "../recorder.h"
#include "texts.h"

#define SLOTS (1u << 15)
#define ARENA_BYTES (2u << 20)
/* Longer ones are cut: PATH_MAX is 4096. */
#define MOST_TEXT_BYTES 8192

struct text {
    uint32_t hash;
    uint32_t number;
    uint32_t bytes;
    char text[];
};

/* Open addressing; entries are set once, with their text complete, and stay. */
static struct text **slots;
static uint8_t *arena;
static uint32_t arena_used;
static uint32_t kept;
static uint32_t last;

static uint32_t hash_of(const char *text, size_t bytes)
{
    uint32_t hash = 0x811c9dc5u;
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ (uint8_t)text[i]) * 0x01000193u;
    return hash;
}

static uint32_t find(const char *text, size_t bytes, uint32_t hash, uint32_t *slot)
{
    struct text **table = __atomic_load_n(&slots, __ATOMIC_ACQUIRE);
    if (table == NULL) return 0;
    uint32_t at = hash & (SLOTS - 1);
    for (;; at = (at + 1) & (SLOTS - 1)) {
        const struct text *entry = __atomic_load_n(&table[at], __ATOMIC_ACQUIRE);
        if (entry == NULL) break;
        if (entry->hash == hash && entry->bytes == bytes && memcmp(entry->text, text, bytes) == 0) return entry->number;
    }
    *slot = at;
    return 0;
}

/* Keeps a text for the next time, as long as there is room; others get a new number each time. */
static void keep(const char *text, size_t bytes, uint32_t hash, uint32_t number, uint32_t slot)
{
    size_t size = (sizeof(struct text) + bytes + 7) & ~(size_t)7;
    if (slots == NULL || arena == NULL || kept >= SLOTS / 2 || arena_used + size > ARENA_BYTES) return;
    struct text *entry = (struct text *)(void *)(arena + arena_used);
    arena_used += (uint32_t)size;
    kept++;
    entry->hash = hash;
    entry->number = number;
    entry->bytes = (uint32_t)bytes;
    copy_bytes(entry->text, text, bytes);
    __atomic_store_n(&slots[slot], entry, __ATOMIC_RELEASE);
}

/* With the lock held. */
static uint32_t number_locked(const char *text, size_t bytes, uint32_t hash)
{
    if (slots == NULL) {
        if (arena == NULL) arena = kernel_memory(ARENA_BYTES);
        __atomic_store_n(&slots, kernel_memory(SLOTS * sizeof *slots), __ATOMIC_RELEASE);
    }
    uint32_t slot = 0;
    uint32_t number = find(text, bytes, hash, &slot);
    struct definition definition;
    if (number == 0 && definition_begin(&definition, DEFINE_TEXT, bytes + 20)) {
        number = ++last;
        define(&definition, number);
        define_text(&definition, text, bytes);
        definition_end(&definition);
        keep(text, bytes, hash, number, slot);
    }
    return number;
}

uint32_t text_number(const char *text)
{
    size_t bytes = strnlen(text, MOST_TEXT_BYTES);
    uint32_t hash = hash_of(text, bytes);
    uint32_t slot = 0;
    uint32_t number = find(text, bytes, hash, &slot);
    if (LIKELY(number != 0)) return number;
    signal_mask before;
    definitions_lock(&before);
    number = number_locked(text, bytes, hash);
    definitions_unlock(&before);
    return number;
}

long link_number(const char *link, uint32_t *number)
{
    // Not on the stack, of which threads may have little.
    static char text[4096];
    signal_mask before;
    definitions_lock(&before);
    long length = kernel_readlink(link, text, sizeof text);
    if (length >= 0) *number = number_locked(text, (size_t)length, hash_of(text, (size_t)length));
    definitions_unlock(&before);
    return length < 0 ? length : 0;
}

void put_text(struct call *call, const char *text)
{
    // Of calls that are counted only, texts would fill the file.
    put(call, text == NULL || UNLIKELY(events_ended_at != 0) ? 0 : text_number(text));
}

void put_path(struct call *call, const char *path, bool failed)
{
    // A path that the kernel refused as no address is none for us either. (errno of a call that succeeded is older.)
    put_text(call, failed && call->error == EFAULT ? NULL : path);
}

void note(const char *text)
{
    size_t bytes = strnlen(text, MOST_TEXT_BYTES);
    signal_mask before;
    struct definition definition;
    definitions_lock(&before);
    if (definition_begin(&definition, DEFINE_NOTE, bytes + 10)) {
        define_text(&definition, text, bytes);
        definition_end(&definition);
    }
    definitions_unlock(&before);
}

void texts_forget(void)
{
    if (slots != NULL) kernel_memory_clear(slots, SLOTS * sizeof *slots);
    arena_used = 0;
    kept = 0;
    last = 0;
}
