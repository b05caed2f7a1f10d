#ifndef IOLENS_FILE_H
#define IOLENS_FILE_H

#include "../recorder.h"

/* Adds to the file's end, all or nothing; the first time a file is made. */
bool file_append(const uint8_t *bytes, size_t size);
/* It is opened, and closed no more after a write: there will be threads. False: that was so already. With the lock held. */
bool file_stay_open(void);
/* The descriptor, if it is among these numbers; -1 otherwise. The program does not have it, and cannot close it. */
int file_descriptor_within(unsigned first, unsigned last);
/* Whether that is its number, now or as far as another thread is opening it. */
bool file_is_at(int fd);
/* The program is about to put a file of its own there: ours goes to another number. */
void file_make_way(int fd);
/* It is closed. */
void file_let_go(void);
/* The file is another process's, whose descriptor a forked child has as well. */
void file_forget(void);
/* The process goes on as another user, who must be able to write it. */
void file_give_to(long user);

#endif
