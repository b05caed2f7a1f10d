#ifndef IOLENS_FILE_H
#define IOLENS_FILE_H

#include "../recorder.h"

/* Adds to the file's end, all or nothing; the first time a file is made. */
bool file_append(const uint8_t *bytes, size_t size);
/* Several of these follow: it need not be opened for each, if it is at all. */
void file_hold(bool is_held);
/* Whether the file system keeps the room that it promised, so that memory which is a part of the file can be written. */
bool file_keeps_room(void);
/* Its bytes; -1: not known. */
int64_t file_end(void);
/* From now on the memory is this part of it. */
bool file_map(void *memory, int64_t from, size_t bytes);
/* Cuts it to so many bytes. */
bool file_cut(int64_t end);
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
