/* The objects that the program has loaded: executable, libraries, plugins. */
#ifndef IOLENS_MODULES_H
#define IOLENS_MODULES_H

#include "dwarf.h"

/* Counts how often objects were unloaded: what was known of addresses before may not hold any more. */
extern uint32_t modules_version;

void modules_begin(void);
/* In a forked child: numbers begin anew. `had_threads`: the parent had several. */
void modules_forget(bool had_threads);

/*
 * Finds what there is to know of code at an address, and defines its module when it is the first time.
 * `address` is within the instruction meant, the byte in front of a return address.
 */
void code_rule(uintptr_t address, struct frame_rule *rule);

/* What was added to the addresses in the file; 0 for number 0. */
uintptr_t module_bias(uint16_t number);

/* A library was perhaps unloaded. */
void modules_unloaded(void);

#endif
