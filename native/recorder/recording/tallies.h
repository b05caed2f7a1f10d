/*
 * Counts in place of events, of a process that has written as many events as it may: of each function, from each stack, how
 * often it was called, with which bytes, for how long. A thread has its own, beside its buffer.
 */
#ifndef IOLENS_TALLIES_H
#define IOLENS_TALLIES_H

#include "../recorder.h"

struct tallies;

/* Whether there is no room for what the next call may be: they are to be defined and emptied. */
bool tallies_are_full(const struct tallies *tallies);
/* Adds a call. `*tallies` are made when there are none; false: there is no memory. */
bool tallies_add(struct tallies **tallies, const struct call *call, uint32_t number, uint32_t stack);
/* Whether it is time to define them, so that a process that is killed then loses a part of what it counted only. */
bool tallies_are_due(const struct tallies *tallies, uint64_t now);
/*
 * With the lock held: defines those that changed since; later ones of the same batch stand in place of earlier ones. Returns
 * of how many calls there is no room to say so: the disk is full.
 */
uint64_t tallies_define(struct tallies *tallies, uint32_t thread);
/* Begins a new batch; nothing is counted. */
void tallies_empty(struct tallies *tallies);

#endif
