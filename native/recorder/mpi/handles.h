/*
 * What is kept of a handle of MPI as long as it is valid. Tables are looked up and changed without a lock: a thread may
 * leave a call of MPI by a signal's handler. They are bounded; a handle that finds no room is not known.
 */
#ifndef IOLENS_MPI_HANDLES_H
#define IOLENS_MPI_HANDLES_H

#include "../recorder.h"

struct handle_table {
    /* Each begins with its handle (`uintptr_t`). */
    void *entries;
    size_t entry_bytes;
    /* Their number, a power of two, less one. */
    uint32_t mask;
};

#define HANDLE_TABLE(name, entry, size)                                                                                \
    static entry name##_entries[size];                                                                                 \
    static const struct handle_table name = {name##_entries, sizeof(entry), (size) - 1}

/* An entry for a handle, zeroed behind it, that nobody else sees before it is published; NULL when there is no room. */
void *handle_add(const struct handle_table *table, uintptr_t handle);
void handle_publish(void *entry, uintptr_t handle);
/* The first entry of a handle, or the next one behind `after`: some libraries use one handle for several requests. */
void *handle_find(const struct handle_table *table, uintptr_t handle, const void *after);
void handle_remove(void *entry);

#endif
