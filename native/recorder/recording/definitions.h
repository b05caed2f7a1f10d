/* Definitions that wait for being written, in one piece with others. */
#ifndef IOLENS_DEFINITIONS_H
#define IOLENS_DEFINITIONS_H

#include "../recorder.h"

/* Used with the lock of the definitions held. */
struct definitions {
    /* A chunk: room for its header, and the payload; NULL as long as nothing was defined. */
    uint8_t *bytes;
    /* Of the payload. */
    uint32_t used;
    uint32_t records;
};
extern struct definitions definitions;

/* With the lock held: writes those that wait; false: they could not be written, and wait on. */
bool definitions_write(void);

#endif
