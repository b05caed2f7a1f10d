/*
 * Symbols of what is loaded, found without the loader's functions. Those allocate memory to say that there is no such symbol
 * (the GNU C library's below 2.34 also when there is one), and a memory allocator that calls a wrapper may hold its lock.
 * Nothing here fails, allocates, waits, or calls a function that may be the program's.
 *
 * For the time until our constructor has run: afterwards other threads load and unload libraries.
 */
#ifndef IOLENS_SYMBOLS_H
#define IOLENS_SYMBOLS_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/* The program, or a library of its. */
struct object {
    const struct link_map *map;
    const ElfW(Sym) * symbols;
    const char *texts;
    const ElfW(Half) * versions;
    /* Its table of hashes; NULL: it has the other kind, or none. */
    const uint32_t *gnu_hashes;
    const uint32_t *hashes;
};

/* All objects, as they are searched: the program first. False: there is none, or they are not to be found. */
bool object_first(struct object *object);
/* The one behind ours, where RTLD_NEXT begins. */
bool object_behind_ours(struct object *object);
/* False: it was the last one. */
bool object_next(struct object *object);

/* What dlsym would find in it: a symbol that it has in any version, or in the one that new programs get. NULL: none. */
void *object_symbol(const struct object *object, const char *name);
/* The first that any object has, as with RTLD_DEFAULT. */
void *symbol_of_any(const char *name);

/* The address in an entry of an object's dynamic section; NULL: it has none. */
const void *dynamic_address(const ElfW(Dyn) * dynamic, uintptr_t base, ElfW(Sxword) tag);

#endif
