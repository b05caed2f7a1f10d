/* What is mapped into the process. */
#ifndef IOLENS_MAPS_H
#define IOLENS_MAPS_H

#include <stddef.h>
#include <stdint.h>

/*
 * The path of the file mapped at an address, or a name as `[vdso]`, without a zero behind it; returns its length, 0: there is
 * none. With the lock of the definitions held.
 */
long mapped_path(uintptr_t address, char *path, size_t size);

#endif
