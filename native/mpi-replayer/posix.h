/* Operations on descriptors and on names of files. */
#ifndef REPLAYER_POSIX_H
#define REPLAYER_POSIX_H

void posix_open(void);
void posix_transfer(int is_read, int has_offset);
/* All others, also those that work on files of several kinds: seek, sync, … */
void posix_other(void);

#endif
