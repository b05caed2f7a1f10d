/* Memory of the process that may or may not be there, read without ever faulting. */
#ifndef IOLENS_MEMORY_H
#define IOLENS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* A range of addresses, known to be readable as long as the frames on it live. */
struct readable {
    uintptr_t from;
    uintptr_t to;
};

/* Finds out how readability can be asked for. Called before the others; once more does no harm. */
void memory_begin(void);

/* Whether one aligned word may be read. Costs a call of the kernel. */
bool memory_is_readable(uintptr_t address);

/* The part of the calling thread's own stack that was asked for before; it stays while the thread lives. */
struct readable memory_own_stack(void);

/*
 * Reads an aligned word: from the thread's own stack, which is asked for page by page once, or from another (of a
 * coroutine, of a signal handler), which is asked for anew each time: nobody tells us when it goes away.
 * `other` holds the pages of the latter that the caller has read; it begins empty.
 */
bool memory_read_slowly(uintptr_t address, struct readable *other, uintptr_t *value);

/* Reads an aligned word, after asking for its page, unless that lies among those of `other` that were asked for before. */
bool memory_read_page(uintptr_t address, struct readable *other, uintptr_t *value);

/* Whether the calling thread is the process's first one. */
bool memory_is_main_thread(void);

#endif
