/* Which copy of a library a place in the program calls. */
#include "library.h"
#include "../recording/calls.h"
#include "../machine/symbols.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>

/* A power of two. Programs call these libraries from some hundred places. */
#define SITES 8192u
#define MOST_LIBRARIES 32

static struct call_site sites[SITES];
static uint32_t sites_used;
static uint32_t unloadings;
static struct library libraries[MOST_LIBRARIES];
static uint32_t libraries_used;
static const struct library unknown_library;

struct questions questions_begin(void)
{
    struct questions questions = {errno};
    recorder_thread.inside++;
    return questions;
}

void questions_end(struct questions questions)
{
    recorder_thread.inside--;
    errno = questions.error;
}

unsigned flags_of_create(bool is_exclusive)
{
    return O_RDWR | O_CREAT | (is_exclusive ? O_EXCL : O_TRUNC);
}

unsigned flags_of_open(bool is_for_writing)
{
    return is_for_writing ? O_RDWR : O_RDONLY;
}

/* ---- the module of the caller ---- */

struct module {
    uintptr_t address;
    uintptr_t base;
    const char *name;
    const ElfW(Dyn) * dynamic;
};

static int is_module_of(struct dl_phdr_info *info, size_t size, void *given)
{
    (void)size;
    struct module *module = given;
    const ElfW(Dyn) *dynamic = NULL;
    bool is_there = false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_DYNAMIC) dynamic = (const ElfW(Dyn) *)start;
        if (segment->p_type == PT_LOAD && module->address >= start && module->address - start < segment->p_memsz)
            is_there = true;
    }
    if (!is_there) return 0;
    module->base = info->dlpi_addr;
    module->name = info->dlpi_name;
    module->dynamic = dynamic;
    return 1;
}

static const void *entry(const struct module *module, ElfW(Sxword) tag)
{
    return dynamic_address(module->dynamic, module->base, tag);
}

/* Symbols that the module wants from elsewhere stand in front of those that it has, which alone have hashes. */
static uint32_t wanted_symbols(const struct module *module)
{
    const uint32_t *hashes = entry(module, DT_GNU_HASH);
    if (hashes == NULL) hashes = entry(module, DT_HASH);
    return hashes == NULL ? 0 : hashes[1];
}

/* The version that goes with an index; NULL when there is none. */
static const char *version_of(const struct module *module, ElfW(Half) index)
{
    const char *texts = entry(module, DT_STRTAB);
    const ElfW(Verneed) *need = entry(module, DT_VERNEED);
    while (need != NULL) {
        const ElfW(Vernaux) *one = (const void *)((const char *)need + need->vn_aux);
        for (unsigned i = 0; i < need->vn_cnt; i++) {
            if (one->vna_other == index) return texts + one->vna_name;
            one = (const void *)((const char *)one + one->vna_next);
        }
        if (need->vn_next == 0) return NULL;
        need = (const void *)((const char *)need + need->vn_next);
    }
    return NULL;
}

/* Whether the module wants a function from elsewhere, and in which version; NULL: any. */
static bool wants(const struct module *module, const char *name, const char **version)
{
    const ElfW(Sym) *symbols = entry(module, DT_SYMTAB);
    const char *texts = entry(module, DT_STRTAB);
    const ElfW(Half) *versions = entry(module, DT_VERSYM);
    if (symbols == NULL || texts == NULL) return false;
    uint32_t count = wanted_symbols(module);
    for (uint32_t i = 0; i < count; i++) {
        if (symbols[i].st_shndx != SHN_UNDEF || strcmp(texts + symbols[i].st_name, name) != 0) continue;
        *version = versions == NULL ? NULL : version_of(module, versions[i] & 0x7fff);
        return true;
    }
    return false;
}

/* ---- what it calls ---- */

static bool is_ours(void *address)
{
    Dl_info ours, its;
    return dladdr((void *)&unknown_library, &ours) != 0 && dladdr(address, &its) != 0 && its.dli_fbase == ours.dli_fbase;
}

/* Other C libraries end a program that lacks a symbol. */
#pragma weak dlvsym

static void *symbol(void *handle, const char *name, const char *version)
{
    void *found = NULL;
#ifdef __GLIBC__
    if (version != NULL && dlvsym != NULL) found = dlvsym(handle, name, version);
    else
#endif
        found = dlsym(handle, name);
    return found != NULL && is_ours(found) ? NULL : found;
}

/* As the dynamic linker would: what all see first, then what the module brought along. */
static void *linked_to(struct function *function, void *caller)
{
    struct module module = {(uintptr_t)caller, 0, "", NULL};
    const char *version = NULL;
    void *found = NULL;
    dl_iterate_phdr(is_module_of, &module);
    bool is_wanted = wants(&module, function->name, &version);
    void *own = module.name[0] == 0 ? NULL : dlopen(module.name, RTLD_LAZY | RTLD_NOLOAD);
    // Who does not want it from elsewhere has it, or was left for it by a jump: then the next one in line may know.
    if (!is_wanted && own != NULL) found = symbol(own, function->name, NULL);
    if (found == NULL) found = symbol(RTLD_NEXT, function->name, version);
    if (found == NULL && own != NULL) found = symbol(own, function->name, version);
    if (own != NULL) dlclose(own);
    return found;
}

static void ask_for(struct library *library, void *handle)
{
    const char *const *names = library->layer == LAYER_HDF5     ? hdf5_queries
                               : library->layer == LAYER_NETCDF ? netcdf_queries
                                                                : pnetcdf_queries;
    for (unsigned i = 0; i < MOST_QUERIES; i++)
        if (names[i] != NULL) library->queries[i] = dlsym(handle, names[i]);
}

/* The copy that a function lies in; it stays loaded from now on, as its address is kept. */
static const struct library *library_of(void *real, unsigned layer)
{
    Dl_info info;
    if (dladdr(real, &info) == 0) return &unknown_library;
    uint32_t known = __atomic_load_n(&libraries_used, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < known; i++)
        if (libraries[i].base == info.dli_fbase && libraries[i].layer == layer) return &libraries[i];
    void *handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    if (handle == NULL) return &unknown_library;
    struct library found = {info.dli_fbase, layer, 0, {NULL}};
    ask_for(&found, handle);
    dlclose(handle);
    const struct library *result = &unknown_library;
    signal_mask before;
    definitions_lock(&before);
    if (libraries_used < MOST_LIBRARIES) {
        for (uint32_t i = 0; i < libraries_used; i++) found.copy += libraries[i].layer == layer;
        libraries[libraries_used] = found;
        result = &libraries[libraries_used];
        __atomic_store_n(&libraries_used, libraries_used + 1, __ATOMIC_RELEASE);
    }
    definitions_unlock(&before);
    return result;
}

/* Keeps it for the next time; the table is never full, so that searching it ends. Libraries stay, so an old entry does no harm. */
static const struct call_site *keep(const struct call_site *site, uint32_t slot)
{
    static __thread struct call_site last;
    const struct call_site *kept = NULL;
    signal_mask before;
    definitions_lock(&before);
    bool is_known = false;
    for (; sites[slot].caller != NULL; slot = (slot + 1) & (SITES - 1)) {
        is_known = sites[slot].caller == site->caller && sites[slot].function == site->function;
        if (is_known) break;
    }
    if (is_known || sites_used < SITES / 4 * 3) {
        if (!is_known) sites_used++;
        sites[slot].function = site->function;
        sites[slot].real = site->real;
        sites[slot].library = site->library;
        __atomic_store_n(&sites[slot].unloadings, site->unloadings, __ATOMIC_RELEASE);
        __atomic_store_n(&sites[slot].caller, site->caller, __ATOMIC_RELEASE);
        kept = &sites[slot];
    }
    definitions_unlock(&before);
    if (kept != NULL) return kept;
    last = *site;
    return &last;
}

void call_sites_unloaded(void)
{
    __atomic_fetch_add(&unloadings, 1, __ATOMIC_ACQ_REL);
}

const struct call_site *call_site(struct function *function, void *caller)
{
    uint32_t now = __atomic_load_n(&unloadings, __ATOMIC_ACQUIRE);
    uint32_t slot = (uint32_t)(((uintptr_t)caller ^ (uintptr_t)function >> 4) * 0x9e3779b1u) >> 19;
    for (;; slot = (slot + 1) & (SITES - 1)) {
        const struct call_site *site = &sites[slot];
        void *known = __atomic_load_n(&site->caller, __ATOMIC_ACQUIRE);
        if (known == NULL) break;
        if (known != caller || site->function != function) continue;
        if (LIKELY(__atomic_load_n(&site->unloadings, __ATOMIC_ACQUIRE) == now)) return site;
        break;
    }
    struct call_site site = {caller, function, NULL, &unknown_library, now};
    struct questions questions = questions_begin();
    site.real = linked_to(function, caller);
    if (site.real != NULL) site.library = library_of(site.real, function->layer);
    questions_end(questions);
    if (site.real == NULL) site.real = real_function(function, caller);
    return keep(&site, slot);
}
