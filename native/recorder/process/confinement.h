/* A program takes rights away from itself; the wrappers of functions by which it may do that use this. */
#ifndef IOLENS_CONFINEMENT_H
#define IOLENS_CONFINEMENT_H

#include "../recorder.h"

/* Whether a call of seccomp with this mode, as prctl has it, restricts the calls that the process may make. */
bool confines(unsigned long mode, unsigned long filter);
/* In front of one that does: nothing is recorded any more. */
void confinement_begins(void);
/* What a function of the C library returns when the kernel returned this. */
long result_of_kernel(long result);

#endif
