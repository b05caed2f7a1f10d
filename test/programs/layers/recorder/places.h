/* Addresses of the program as functions and lines, by addr2line. */
#include <stdint.h>

enum { FRAMES = 48 };
struct stack { int count; uint64_t addresses[FRAMES]; };
struct place { uint64_t address; char function[128], file[256]; int line; };

/* Notes an address; find_places looks all of them up at once. */
void ask_for_place(uint64_t address);
/* Returns 0 when addr2line cannot be run. */
int find_places(const char *program);
/* NULL when the address was not asked for; line 0 when nothing is known of it. */
const struct place *place_of(uint64_t address);
