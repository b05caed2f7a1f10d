#ifndef IOLENS_FILE_H
#define IOLENS_FILE_H

#include "recorder.h"

/* Adds to the file's end, all or nothing; the first time a file is made. */
bool file_append(const uint8_t *bytes, size_t size);
/* It is closed no more after a write: there will be threads. Returns whether that was so already. */
bool file_stay_open(void);
/* The descriptor, if it is among these numbers; -1 otherwise. The program does not have it, and cannot close it. */
int file_descriptor_within(unsigned first, unsigned last);
/* The file is another process's, whose descriptor a forked child has as well. */
void file_forget(void);
/* The process goes on as another user, who must be able to write it. */
void file_give_to(long user);

#endif
