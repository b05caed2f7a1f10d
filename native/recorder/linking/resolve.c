/*
 * Where the real functions are. Most stand in libraries behind ours in the search order (RTLD_NEXT). Plugins, such as
 * the modules of Python, are loaded with libraries of their own, which nobody else sees (RTLD_LOCAL), and two of them may
 * have two versions of one: there the caller's own library counts.
 */
#include "../recording/calls.h"
#include "library.h"
#include "../stacks/modules.h"
#include "../machine/symbols.h"
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

#define MOST_LOCAL 256

/* All that WRAPPED defines, as the linker gathers them. */
extern struct function __start_iolens_functions[] __attribute__((visibility("hidden")));
extern struct function __stop_iolens_functions[] __attribute__((visibility("hidden")));

/* A function of a library that only the code of one module sees. */
static struct {
    const char *name;
    uintptr_t from;
    uintptr_t to;
    void *real;
} local[MOST_LOCAL];
static uint32_t locals;
/* Our constructor has run. */
static bool is_begun;

static long missing(void)
{
    errno = ENOSYS;
    return -1;
}

static bool is_ours(void *address)
{
    static void *base;
    Dl_info info;
    if (base == NULL && dladdr((void *)&missing, &info) != 0) base = info.dli_fbase;
    return dladdr(address, &info) != 0 && info.dli_fbase == base;
}

/* The function as a library that is loaded, or what it was linked with, knows it. */
static void *within(const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL) return NULL;
    void *found = dlsym(handle, name);
    dlclose(handle);
    return found != NULL && is_ours(found) ? NULL : found;
}

struct search {
    uintptr_t address;
    const char *name;
    uintptr_t from;
    uintptr_t to;
    void *found;
    /* Only in the module that the address lies in. */
    bool own;
};

static int look(struct dl_phdr_info *info, size_t size, void *given)
{
    (void)size;
    struct search *search = given;
    uintptr_t from = UINTPTR_MAX, to = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD) continue;
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (start < from) from = start;
        if (start + segment->p_memsz > to) to = start + segment->p_memsz;
    }
    bool is_own = search->address >= from && search->address < to;
    if (search->own != is_own) return 0;
    if (is_own) {
        search->from = from;
        search->to = to;
    }
    if (info->dlpi_name[0] == 0) return 0;
    search->found = within(info->dlpi_name, search->name);
    return search->found != NULL;
}

static void *of_caller(const char *name, void *caller)
{
    uintptr_t address = (uintptr_t)caller;
    uint32_t known = __atomic_load_n(&locals, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < known; i++)
        if (local[i].name == name && address >= local[i].from && address < local[i].to) return local[i].real;
    struct search search = {address, name, 0, 0, NULL, true};
    dl_iterate_phdr(look, &search);
    if (search.found == NULL) {
        search.own = false;
        dl_iterate_phdr(look, &search);
    }
    if (search.found == NULL || search.to == 0) return search.found;
    signal_mask before;
    definitions_lock(&before);
    if (locals < MOST_LOCAL) {
        local[locals].name = name;
        local[locals].from = search.from;
        local[locals].to = search.to;
        local[locals].real = search.found;
        __atomic_store_n(&locals, locals + 1, __ATOMIC_RELEASE);
    }
    definitions_unlock(&before);
    return search.found;
}

void *other_function(const char *name, void *caller)
{
    int before = errno;
    recorder_thread.inside++;
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) found = of_caller(name, caller);
    recorder_thread.inside--;
    errno = before;
    return found;
}

/*
 * Those of the C library, by the tables of what is loaded: an allocator that calls a wrapper at its start, with its lock held,
 * would wait for itself if the loader allocated anything. False: the tables are not to be found.
 */
static bool find_functions(void)
{
    struct object object;
    bool is_there = object_behind_ours(&object), are_known = is_there;
    for (; is_there; is_there = object_next(&object))
        for (struct function *at = __start_iolens_functions; at < __stop_iolens_functions; at++) {
            if (at->layer > LAYER_STDIO || at->real != NULL) continue;
            void *found = object_symbol(&object, at->symbol);
            if (found != NULL) __atomic_store_n(&at->real, found, __ATOMIC_RELEASE);
        }
    return are_known;
}

void *real_function(struct function *function, void *caller)
{
    int before = errno;
    // Whoever calls a library above the C library holds no lock of an allocator: those allocate themselves.
    if (!is_begun && function->layer <= LAYER_STDIO && find_functions()) {
        errno = before;
        return function->real != NULL ? function->real : (void *)&missing;
    }
    recorder_thread.inside++;
    // dlsym is no function for signal handlers, and forgets what the program's dlerror has to say: see functions_find.
    void *found = dlsym(RTLD_NEXT, function->symbol);
    if (found != NULL) __atomic_store_n(&function->real, found, __ATOMIC_RELEASE);
    else found = of_caller(function->symbol, caller);
    recorder_thread.inside--;
    errno = before;
    return found != NULL ? found : (void *)&missing;
}

void functions_find(void)
{
    is_begun = true;
    if (find_functions()) return;
    for (struct function *at = __start_iolens_functions; at < __stop_iolens_functions; at++)
        if (at->layer <= LAYER_STDIO) at->real = dlsym(RTLD_NEXT, at->symbol);
    // The error of a function that this C library does not have is not the program's.
    dlerror();
}

/* What was found in a library that is unloaded must not be called again. */
static void functions_forget(void)
{
    for (struct function *at = __start_iolens_functions; at < __stop_iolens_functions; at++)
        if (at->layer > LAYER_STDIO) __atomic_store_n(&at->real, NULL, __ATOMIC_RELEASE);
    signal_mask before;
    definitions_lock(&before);
    for (uint32_t i = 0; i < locals; i++) __atomic_store_n(&local[i].to, 0, __ATOMIC_RELAXED);
    definitions_unlock(&before);
}

/* Not recorded: what was seen so far may be replaced by other code afterwards, without any address being new. */
FUNCTION(dlclose, LAYER_RECORDER, "");
EXPORTED int dlclose(void *library)
{
    REAL(dlclose);
    int result = real(library);
    if (recorder_state != ACTIVE || recorder_thread.inside > 0) return result;
    functions_forget();
    call_sites_unloaded();
    modules_unloaded();
    return result;
}
