#include "handles.h"

/* No library has handles of these values. An entry that was removed keeps those behind it in reach. */
enum { NEVER_USED, REMOVED, COMING, FIRST_HANDLE };

/* A handle stands no farther than this from where it is looked for first. */
#define MOST_STEPS 64

static uintptr_t *entry_at(const struct handle_table *table, uintptr_t handle, uint32_t step)
{
    uint32_t first = (uint32_t)((uint64_t)handle * 0x9e3779b97f4a7c15u >> 32);
    return (uintptr_t *)(void *)((uint8_t *)table->entries + ((first + step) & table->mask) * table->entry_bytes);
}

void *handle_add(const struct handle_table *table, uintptr_t handle)
{
    if (handle < FIRST_HANDLE) return NULL;
    for (uint32_t step = 0; step < MOST_STEPS; step++) {
        uintptr_t *entry = entry_at(table, handle, step);
        uintptr_t now = __atomic_load_n(entry, __ATOMIC_RELAXED);
        if (now > REMOVED) continue;
        if (!__atomic_compare_exchange_n(entry, &now, COMING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) continue;
        memset(entry + 1, 0, table->entry_bytes - sizeof *entry);
        return entry;
    }
    return NULL;
}

void handle_publish(void *entry, uintptr_t handle)
{
    __atomic_store_n((uintptr_t *)entry, handle, __ATOMIC_RELEASE);
}

void *handle_find(const struct handle_table *table, uintptr_t handle, const void *after)
{
    if (handle < FIRST_HANDLE) return NULL;
    for (uint32_t step = 0; step < MOST_STEPS; step++) {
        uintptr_t *entry = entry_at(table, handle, step);
        uintptr_t now = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
        if (now == NEVER_USED) return NULL;
        if (now == handle && after == NULL) return entry;
        if (entry == after) after = NULL;
    }
    return NULL;
}

void handle_remove(void *entry)
{
    __atomic_store_n((uintptr_t *)entry, REMOVED, __ATOMIC_RELEASE);
}
