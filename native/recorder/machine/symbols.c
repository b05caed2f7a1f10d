/* The tables of symbols that objects bring along for the loader. */
#include "symbols.h"
#include "../recorder.h"
#include <sys/auxv.h>

#define HIDDEN_VERSION 0x8000
/* Below: symbols of objects without versions. */
#define FIRST_VERSION 2

extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));

/* The C library of GNU puts addresses in their place, others leave them as they are in the file. */
static const void *address_in(const ElfW(Dyn) * entry, uintptr_t base)
{
    uintptr_t address = entry->d_un.d_ptr;
    return (const void *)(address < base ? base + address : address);
}

const void *dynamic_address(const ElfW(Dyn) * dynamic, uintptr_t base, ElfW(Sxword) tag)
{
    for (; dynamic != NULL && dynamic->d_tag != DT_NULL; dynamic++)
        if (dynamic->d_tag == tag) return address_in(dynamic, base);
    return NULL;
}

/* ---- objects ---- */

/* In the loader of GNU; other loaders end a program that lacks a symbol. */
#pragma weak _r_debug
extern struct r_debug _r_debug;

/* What debuggers find them by: the program's dynamic section has the address of the list. */
static const struct link_map *first_map(void)
{
    const ElfW(Phdr) *segments = (const void *)getauxval(AT_PHDR), *dynamic = NULL;
    size_t count = getauxval(AT_PHNUM);
    // A program that lies where its file says has none of the kind that says where it lies.
    uintptr_t base = 0;
    for (size_t i = 0; segments != NULL && i < count; i++) {
        if (segments[i].p_type == PT_PHDR) base = (uintptr_t)segments - segments[i].p_vaddr;
        if (segments[i].p_type == PT_DYNAMIC) dynamic = &segments[i];
    }
    const ElfW(Dyn) *at = dynamic == NULL ? NULL : (const void *)(base + dynamic->p_vaddr);
    for (; at != NULL && at->d_tag != DT_NULL; at++)
        if (at->d_tag == DT_DEBUG && at->d_un.d_ptr != 0) return ((const struct r_debug *)at->d_un.d_ptr)->r_map;
    return &_r_debug == NULL ? NULL : _r_debug.r_map;
}

static bool object_of(const struct link_map *map, struct object *object)
{
    *object = (struct object){.map = map};
    if (map == NULL) return false;
    for (const ElfW(Dyn) *at = map->l_ld; at != NULL && at->d_tag != DT_NULL; at++) {
        if (at->d_tag == DT_SYMTAB) object->symbols = address_in(at, map->l_addr);
        if (at->d_tag == DT_STRTAB) object->texts = address_in(at, map->l_addr);
        if (at->d_tag == DT_VERSYM) object->versions = address_in(at, map->l_addr);
        if (at->d_tag == DT_GNU_HASH) object->gnu_hashes = address_in(at, map->l_addr);
        if (at->d_tag == DT_HASH) object->hashes = address_in(at, map->l_addr);
    }
    return true;
}

bool object_first(struct object *object)
{
    return object_of(first_map(), object);
}

bool object_next(struct object *object)
{
    return object_of(object->map->l_next, object);
}

bool object_behind_ours(struct object *object)
{
    const struct link_map *map = first_map();
    while (map != NULL && map->l_ld != _DYNAMIC) map = map->l_next;
    return map != NULL && object_of(map->l_next, object);
}

/* ---- symbols ---- */

static bool is_named(const char *text, const char *name)
{
    while (*text == *name && *name != 0) {
        text++;
        name++;
    }
    return *text == *name;
}

/* Whether it is what a search for the name ends at. */
static bool is_found(const struct object *object, uint32_t number, const char *name)
{
    const ElfW(Sym) *symbol = &object->symbols[number];
    unsigned type = ELF64_ST_TYPE(symbol->st_info), visibility = ELF64_ST_VISIBILITY(symbol->st_other);
    if (symbol->st_shndx == SHN_UNDEF || symbol->st_value == 0 || ELF64_ST_BIND(symbol->st_info) == STB_LOCAL) return false;
    if (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE && type != STT_GNU_IFUNC) return false;
    if (visibility == STV_HIDDEN || visibility == STV_INTERNAL) return false;
    // Kept for programs that were linked long ago.
    ElfW(Half) version = object->versions == NULL ? 0 : object->versions[number];
    if ((version & HIDDEN_VERSION) != 0 && (version & ~HIDDEN_VERSION) >= FIRST_VERSION) return false;
    return is_named(object->texts + symbol->st_name, name);
}

/* Its number; 0: there is none. */
static uint32_t number_by_gnu_hash(const struct object *object, const char *name)
{
    uint32_t hash = 5381;
    for (const char *at = name; *at != 0; at++) hash = hash * 33 + (uint8_t)*at;
    const uint32_t *table = object->gnu_hashes;
    uint32_t bucket_count = table[0], first = table[1], word_count = table[2], shift = table[3];
    const ElfW(Addr) *words = (const void *)(table + 4);
    const uint32_t *buckets = (const void *)(words + word_count), *hashes = buckets + bucket_count;
    uint32_t bits = 8 * sizeof *words;
    ElfW(Addr) word = words[hash / bits & (word_count - 1)];
    if ((word >> hash % bits & word >> (hash >> shift) % bits & 1) == 0 || bucket_count == 0) return 0;
    uint32_t number = buckets[hash % bucket_count];
    for (; number >= first && number != 0; number++) {
        uint32_t other = hashes[number - first];
        if ((other | 1) == (hash | 1) && is_found(object, number, name)) return number;
        if ((other & 1) != 0) break;
    }
    return 0;
}

static uint32_t number_by_hash(const struct object *object, const char *name)
{
    uint32_t hash = 0;
    for (const char *at = name; *at != 0; at++) {
        hash = (hash << 4) + (uint8_t)*at;
        uint32_t high = hash & 0xf0000000u;
        hash = (hash ^ high >> 24) & ~high;
    }
    uint32_t bucket_count = object->hashes[0];
    const uint32_t *buckets = object->hashes + 2, *next = buckets + bucket_count;
    uint32_t number = bucket_count == 0 ? 0 : buckets[hash % bucket_count];
    while (number != 0 && !is_found(object, number, name)) number = next[number];
    return number;
}

/* The function that a library chose for this machine: it says so when it is called. */
static void *chosen_by(uintptr_t address)
{
#ifdef __aarch64__
    const uint64_t more[] = {3 * sizeof(uint64_t), getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};
    return ((void *(*)(uint64_t, const uint64_t *))address)(more[1] | (uint64_t)1 << 62, more);
#else
    return ((void *(*)(void))address)();
#endif
}

void *object_symbol(const struct object *object, const char *name)
{
    if (object->symbols == NULL || object->texts == NULL) return NULL;
    uint32_t number = object->gnu_hashes != NULL ? number_by_gnu_hash(object, name)
                      : object->hashes != NULL   ? number_by_hash(object, name)
                                                 : 0;
    if (number == 0) return NULL;
    uintptr_t address = object->map->l_addr + object->symbols[number].st_value;
    return ELF64_ST_TYPE(object->symbols[number].st_info) == STT_GNU_IFUNC ? chosen_by(address) : (void *)address;
}

void *symbol_of_any(const char *name)
{
    struct object object;
    void *found = NULL;
    for (bool is_there = object_first(&object); is_there && found == NULL; is_there = object_next(&object))
        found = object_symbol(&object, name);
    return found;
}
