#ifndef IOLENS_FILE_H
#define IOLENS_FILE_H

#include "recorder.h"

/* The file is there, and begins with the definition of this process. */
extern bool file_begun;

/* Opens the file for a write, a new one when it is not begun; a negative error number when it cannot be. */
long file_open(void);
void file_close(void);
/* All or nothing. */
bool file_write(int fd, const uint8_t *bytes, size_t size);
/* The process goes on as another user, who must be able to write it. */
void file_give_to(long user);

#endif
