/* What is written into files, and whether what is read was written: as src/replay/run/content.ts makes it. */
#ifndef REPLAYER_CONTENTS_H
#define REPLAYER_CONTENTS_H

#include "files.h"

/* Contents are written and checked; otherwise any data will do. */
extern int is_checking;

uint32_t key_of(const char *path);
/* What the rank of that number, or another writer, puts at a place. */
unsigned char content_byte(uint32_t key, uint32_t writer, MPI_Offset at);
/* What is written at a place: 0 where nobody can know it, which a check takes for unwritten. */
void prepare(const struct slot *slot, unsigned char *bytes, size_t count, MPI_Offset at);
/* What was read there; a wrong one is reported. */
void examine(const struct slot *slot, const unsigned char *bytes, size_t count, MPI_Offset at);
void check_byte(const struct slot *slot, unsigned char byte, MPI_Offset at);
/* Bytes of which nobody can say where they stand in the file. */
void leave_unchecked(long long bytes);
/* Writes how many bytes were right, unwritten, wrong and unchecked. */
void report_contents(void);

#endif
