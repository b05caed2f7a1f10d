/* From a frame outwards: return addresses, at a few nanoseconds each when they were seen before. */
#ifndef IOLENS_UNWIND_H
#define IOLENS_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

/* Whether there is memory for the rules, and this is a processor that we unwind on. */
bool unwind_begin(void);
/* In a forked child: rules hold numbers of modules. */
void unwind_forget(void);

/*
 * Writes the addresses that the wrapper with this frame returns to, innermost first, without those in the recorder; at most
 * `depth`. The instruction meant is the one that ends in front of an address, also where a signal interrupted it.
 * `hash` is of the addresses and of what is loaded.
 */
unsigned unwind(void *frame_of_wrapper, uintptr_t *addresses, unsigned depth, uint64_t *hash);

/* Number of the module that an address of a stack belongs to, 0: none. */
uint16_t module_of_address(uintptr_t address);

#endif
