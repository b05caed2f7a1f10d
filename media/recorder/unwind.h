/* From a frame outwards: return addresses, at a few nanoseconds each when they were seen before. */
#ifndef IOLENS_UNWIND_H
#define IOLENS_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

/* Whether there is memory for the rules, and this is a processor that we unwind on. */
bool unwind_begin(void);
/* In a forked child: rules hold numbers of modules. */
void unwind_forget(bool had_threads);

/* A stack of the machine. */
struct machine_stack {
    /*
     * Where the wrapper returns to, innermost first, without what is in the recorder. The instruction meant is the one that
     * ends in front of an address, also where a signal interrupted it.
     */
    uintptr_t *addresses;
    /* The stack pointers in the callers: a frame lies below its own. NULL: not wanted. */
    uintptr_t *ends;
    unsigned count;
    /* Of the addresses and of what is loaded. */
    uint64_t hash;
    /* There is a signal handler in it. */
    bool isInterrupted;
};

/* Fills a stack from the frame of a wrapper on; there is room for `depth` addresses. */
void unwind(void *frame_of_wrapper, unsigned depth, struct machine_stack *stack);

/* Number of the module that an address of a stack belongs to, 0: none. */
uint16_t module_of_address(uintptr_t address);

#endif
