/* The map of modules: found when an address is seen for the first time, written when a stack first leads through one. */
#include "modules.h"
#include "processor.h"
#include "../machine/maps.h"
#include "../machine/memory.h"
#include "../machine/symbols.h"
#include "../recorder.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/auxv.h>

#define MOST_MODULES 4096
#define MOST_BUILD_ID 64

struct module {
    uintptr_t from;
    uintptr_t to;
    uintptr_t bias;
    /* Of path and build id. */
    uint64_t identity;
    /* What modules_version was when it was last seen to be this object. */
    uint32_t version;
};

/* Set once, in order; `module_count` says how many are complete. */
static struct module *modules;
static uint32_t module_count;
/* Where the recorder itself lies, once a stack led through it: it is no module of the recording. */
static struct module recorder_module;
uint32_t modules_version;
static uint64_t unloaded;

#if defined __GLIBC__ && defined DLFO_STRUCT_HAS_EH_DBASE
/* NULL: below 2.35, and in other C libraries. Not linked with: a library that was built for a newer one is refused. */
static __typeof__(_dl_find_object) *find_object;
#endif

void modules_begin(void)
{
    modules = kernel_memory(MOST_MODULES * sizeof *modules);
#if defined __GLIBC__ && defined DLFO_STRUCT_HAS_EH_DBASE
    *(void **)&find_object = symbol_of_any("_dl_find_object");
#endif
}

/*
 * In the child of a fork dl_iterate_phdr waits for ever when another thread of the parent was in it. Newer C libraries of
 * GNU (2.35) can say without a lock what lies at an address; with others the child of a process of several threads does
 * not ask, and knows the objects through which stacks of the parent led.
 */
static bool asks_loader = true;
static const struct module *inherited;
static uint32_t inherited_count;

static void inherit(void)
{
    struct module *copies = module_count == 0 ? NULL : kernel_memory(module_count * sizeof *copies);
    if (copies == NULL) return;
    memcpy(copies, modules, module_count * sizeof *copies);
    inherited = copies;
    inherited_count = module_count;
}

void modules_forget(bool had_threads)
{
    if (asks_loader && had_threads) inherit();
    module_count = 0;
    asks_loader = asks_loader && !had_threads;
}

uintptr_t module_bias(uint16_t number)
{
    return number == 0 ? 0 : modules[number - 1].bias;
}

/* ---- what an object says of itself ---- */

static void range_of(const struct dl_phdr_info *info, struct module *module)
{
    *module = (struct module){.from = UINTPTR_MAX, .bias = info->dlpi_addr};
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD) continue;
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (start < module->from) module->from = start;
        if (start + segment->p_memsz > module->to) module->to = start + segment->p_memsz;
    }
}

static const uint8_t *build_id_in(const uint8_t *notes, size_t size, size_t alignment, size_t *bytes)
{
    ElfW(Nhdr) head;
    for (size_t at = 0; size - at >= sizeof head;) {
        memcpy(&head, notes + at, sizeof head);
        at += sizeof head;
        size_t name = (head.n_namesz + alignment - 1) & ~(alignment - 1);
        size_t content = (head.n_descsz + alignment - 1) & ~(alignment - 1);
        if (name > size - at || head.n_descsz > size - at - name) return NULL;
        if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && memcmp(notes + at, "GNU", 4) == 0) {
            *bytes = head.n_descsz < MOST_BUILD_ID ? head.n_descsz : MOST_BUILD_ID;
            return notes + at + name;
        }
        if (content > size - at - name) return NULL;
        at += name + content;
    }
    return NULL;
}

static const uint8_t *build_id_of(const struct image *image, size_t *bytes)
{
    *bytes = 0;
    for (unsigned i = 0; i < image->header_count; i++) {
        const ElfW(Phdr) *segment = &image->headers[i];
        if (segment->p_type != PT_NOTE) continue;
        uintptr_t start = image->bias + segment->p_vaddr, from, to;
        if (!readable_segment(image, start, &from, &to) || to - start < segment->p_memsz) continue;
        const uint8_t *id = build_id_in((const uint8_t *)start, segment->p_memsz, segment->p_align == 8 ? 8 : 4, bytes);
        if (id != NULL) return id;
    }
    return NULL;
}

/* ---- its path ---- */

#define MOST_PATH 4096

/* The kernel has loaded it, and a loader for it. Started by hand, the loader is what the kernel calls the executable. */
static bool is_executable(const struct module *module)
{
    uintptr_t started = getauxval(AT_PHDR);
    return getauxval(AT_BASE) != 0 && started >= module->from && started < module->to;
}

/*
 * The executable has no name here, the kernel's own object is no file, and a plugin's may count from a folder left since. What
 * is mapped is asked for last: that takes a descriptor, the lowest that is free.
 */
static const char *path_of(const struct dl_phdr_info *info, const struct module *module)
{
    static char path[MOST_PATH];
    long length = -1;
    if (info->dlpi_name != NULL && info->dlpi_name[0] == '/') return info->dlpi_name;
    if (module->from == getauxval(AT_SYSINFO_EHDR)) return "[vdso]";
    if (is_executable(module)) length = kernel_readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0) length = mapped_path(module->from, path, MOST_PATH);
    path[kernel_name_bytes(path, (size_t)length)] = 0;
    return length > 0 || info->dlpi_name == NULL ? path : info->dlpi_name;
}

/* ---- its number ---- */

static uint64_t mixed(uint64_t sum, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) sum = (sum ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    return sum;
}

static bool same_place(const struct module *a, const struct module *b)
{
    return a->from == b->from && a->to == b->to && a->bias == b->bias;
}

static uint16_t known_number(const struct module *module)
{
    uint32_t count = __atomic_load_n(&module_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = count; i > 0; i--)
        if (same_place(&modules[i - 1], module) &&
            __atomic_load_n(&modules[i - 1].version, __ATOMIC_RELAXED) == module->version)
            return (uint16_t)i;
    return 0;
}

static uint16_t add_module(const struct module *module, const char *path, const uint8_t *id, size_t id_bytes)
{
    if (module_count == MOST_MODULES) return 0;
    size_t path_bytes = strnlen(path, MOST_PATH);
    struct definition definition;
    if (!definition_begin(&definition, DEFINE_MODULE, path_bytes + id_bytes + 64)) return 0;
    modules[module_count] = *module;
    uint32_t number = module_count + 1;
    define(&definition, number);
    define(&definition, module->bias);
    define(&definition, module->from);
    define(&definition, module->to - module->from);
    define_text(&definition, path, path_bytes);
    define_text(&definition, id, id_bytes);
    definition_end(&definition);
    __atomic_store_n(&module_count, number, __ATOMIC_RELEASE);
    return (uint16_t)number;
}

/*
 * With the dynamic linker's lock held, so that the object stays; that of the definitions is taken within. Where an object
 * with a build id was unloaded and the same one lies again at the same place, it keeps its number.
 */
static uint16_t module_number(const struct dl_phdr_info *info, const struct image *image)
{
    struct module module;
    range_of(info, &module);
    module.version = __atomic_load_n(&modules_version, __ATOMIC_ACQUIRE);
    uint16_t number = known_number(&module);
    if (number != 0) return number;
    signal_mask before;
    definitions_lock(&before);
    number = known_number(&module);
    if (number == 0) {
        size_t id_bytes;
        const uint8_t *id = build_id_of(image, &id_bytes);
        const char *path = path_of(info, &module);
        module.identity = mixed(mixed(0xcbf29ce484222325u, path, strnlen(path, MOST_PATH)), id, id_bytes);
        for (uint32_t i = 0; i < module_count && number == 0 && id != NULL; i++)
            if (same_place(&modules[i], &module) && modules[i].identity == module.identity) number = (uint16_t)(i + 1);
        if (number != 0) __atomic_store_n(&modules[number - 1].version, module.version, __ATOMIC_RELAXED);
        else number = add_module(&module, path, id, id_bytes);
    }
    definitions_unlock(&before);
    return number;
}

/* ---- unloading ---- */

static void notice_unloading(const struct dl_phdr_info *info, size_t size)
{
    if (size < offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs) return;
    uint64_t now = info->dlpi_subs;
    if (__atomic_exchange_n(&unloaded, now, __ATOMIC_ACQ_REL) != now)
        __atomic_fetch_add(&modules_version, 1, __ATOMIC_ACQ_REL);
}

static int look_at_first(struct dl_phdr_info *info, size_t size, void *given)
{
    (void)given;
    notice_unloading(info, size);
    return 1;
}

void modules_unloaded(void)
{
    if (settings.stack_depth > 0) dl_iterate_phdr(look_at_first, NULL);
}

/* ---- code ---- */

#if UNWINDS_TABLES

/* What the code around a return address says, as far as it can be read: from `from` to `to`. */
static void look_at_code(uintptr_t address, uintptr_t from, uintptr_t to, struct frame_rule *rule)
{
    uint8_t code[CODE_BEFORE + CODE_BEHIND] = {0};
    uintptr_t first = address - CODE_BEFORE, end = address + CODE_BEHIND;
    uintptr_t begin = from > first ? from : first;
    if (end > to) end = to;
    if (begin < end) memcpy(code + (begin - first), (const void *)begin, end - begin);
    if (is_after_call(code + CODE_BEFORE)) rule->flags |= RULE_AFTER_CALL;
    if (is_signal_trampoline(code + CODE_BEFORE)) rule->flags |= RULE_SIGNAL;
}

struct search {
    uintptr_t address;
    struct frame_rule *rule;
    bool is_first;
    bool is_found;
};

static bool contains(const struct dl_phdr_info *info, uintptr_t address)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && address - info->dlpi_addr - segment->p_vaddr < segment->p_memsz) return true;
    }
    return false;
}

static int look(struct dl_phdr_info *info, size_t size, void *given)
{
    struct search *search = given;
    if (search->is_first) notice_unloading(info, size);
    search->is_first = false;
    if (!contains(info, search->address)) return 0;
    struct image image = {info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum};
    search->is_found = true;
    if (contains(info, (uintptr_t)&modules_begin)) {
        search->rule->flags |= RULE_RECORDER;
        if (recorder_module.to == 0) range_of(info, &recorder_module);
    } else search->rule->module = module_number(info, &image);
    uintptr_t from, to;
    if (readable_segment(&image, search->address, &from, &to)) look_at_code(search->address + 1, from, to, search->rule);
    if ((search->rule->flags & RULE_SIGNAL) == 0 && !table_rule(&image, search->address, search->rule))
        search->rule->flags |= RULE_FRAME_POINTER;
    return 1;
}

/* Looks at the object that is mapped from there, as far as its headers are. */
static void look_from(const void *start, uintptr_t bias, const char *name, struct search *search)
{
    const ElfW(Ehdr) *header = start;
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_phentsize != sizeof(ElfW(Phdr))) return;
    struct dl_phdr_info info = {
        .dlpi_addr = bias,
        .dlpi_name = name,
        .dlpi_phdr = (const void *)((const char *)start + header->e_phoff),
        .dlpi_phnum = header->e_phnum,
    };
    look(&info, offsetof(struct dl_phdr_info, dlpi_adds), search);
}

static bool holds(const struct module *module, uintptr_t address)
{
    // It may have been unloaded since.
    return address >= module->from && address < module->to && memory_is_readable(module->from);
}

static void look_at_inherited(struct search *search)
{
    const struct module *module = holds(&recorder_module, search->address) ? &recorder_module : NULL;
    // Where two lay at one place, one after the other, the later one does.
    for (uint32_t i = inherited_count; i > 0 && module == NULL; i--)
        if (holds(&inherited[i - 1], search->address)) module = &inherited[i - 1];
    if (module != NULL) look_from((const void *)module->from, module->bias, NULL, search);
}

static void ask_loader(struct search *search)
{
    if (asks_loader) dl_iterate_phdr(look, search);
    else look_at_inherited(search);
}

#if defined __GLIBC__ && defined DLFO_STRUCT_HAS_EH_DBASE
static void look_at_object(struct search *search)
{
    struct dl_find_object found;
    if (find_object == NULL) ask_loader(search);
    else if (find_object((void *)search->address, &found) == 0)
        look_from(found.dlfo_map_start, found.dlfo_link_map->l_addr, found.dlfo_link_map->l_name, search);
}
#else
static void look_at_object(struct search *search)
{
    ask_loader(search);
}
#endif

void code_rule(uintptr_t address, struct frame_rule *rule)
{
    *rule = (struct frame_rule){0};
    struct search search = {address, rule, true, false};
    look_at_object(&search);
    if (search.is_found) return;
    // Code that was made at run time.
    rule->flags = RULE_FRAME_POINTER;
    uintptr_t word = sizeof(uintptr_t), next = address + 1, here = next & ~(word - 1);
    if (!memory_is_readable(here)) return;
    uintptr_t before = (next - CODE_BEFORE) & ~(word - 1), behind = (next + CODE_BEHIND - 1) & ~(word - 1);
    look_at_code(next, memory_is_readable(before) ? before : here, memory_is_readable(behind) ? behind + word : here + word, rule);
}

#endif
