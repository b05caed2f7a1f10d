/* How long the recorded process lives, and what processors do for it. */
#pragma once
#include "../recorder.h"

/* It begins to run this program; forked: processors have done nothing for it yet. */
void life_begins(bool is_forked);
/* When that was, on the monotonic clock. */
uint64_t life_began(void);
/* It is about to send itself a signal that ends it; 0: not any more. */
void life_ends_by(int signal);
/* Reads the beginning of a file of the kernel's; 0 bytes where it cannot be read. */
long life_read_file(const char *path, char *bytes, size_t size);
