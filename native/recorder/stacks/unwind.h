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
    bool is_interrupted;
};

/* Fills a stack from the frame of a wrapper on; there is room for `depth` addresses. */
void unwind(void *frame_of_wrapper, unsigned depth, struct machine_stack *stack);

/* A longer walk is not remembered. */
#define MOST_WALKED 96

/* A frame of a walk: where it was, and where in memory stands what led to its caller. */
struct walked {
    uintptr_t pc;
    uintptr_t sp;
    uintptr_t fp;
    const uintptr_t *return_at;
    /* NULL: the caller's frame pointer was still in its register. */
    const uintptr_t *fp_at;
    /* Of the program's addresses from the outermost frame to this one, and how many they are. */
    uint64_t hash;
    uint32_t depth;
    bool is_program;
};

/*
 * The thread's last walk, outermost frame first. A frame follows from the one inside of it: from its three registers, from
 * what the tables say, and from the words read from the stack. So where a new walk comes to a frame of the last one, the
 * same modules are loaded and these words are what they were, the rest is what it was; there is no need to go there.
 */
struct walk {
    bool is_busy;
    uint32_t version;
    unsigned pause;
    unsigned count;
    struct walked frames[MOST_WALKED];
    /* Those that are new, innermost first. */
    struct walked fresh[MOST_WALKED];
};

/*
 * The hash of the stack, by what is left of the last walk of this thread; 0 when it is to be followed as a whole. It is not
 * the one that `unwind` gives.
 */
uint64_t unwind_again(void *frame_of_wrapper, unsigned depth, struct walk *walk);

/* Number of the module that an address of a stack belongs to, 0: none. */
uint16_t module_of_address(uintptr_t address);

#endif
