/* What memory may be read: asked of the kernel a page at a time, and remembered where it cannot go away. */
#include "memory.h"
#include "../recorder.h"
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A stack further away from its thread's top than this is taken for another's: pages are asked for one by one. */
#define MOST_OWN_STACK ((uintptr_t)64 << 20)

static uintptr_t page = 4096;
static bool can_ask;

/* What is known of a thread's own stack: it reaches from `floor` or below to `known.to`, without a gap from `known.from`. */
static __thread struct {
    struct readable known;
    /* A page that could not be read: the stack had not grown to it, or it ends there. */
    uintptr_t floor;
    enum { NOT_ASKED, FIRST_THREAD, OTHER_THREAD } thread;
} own;

/*
 * The kernel reads the new mask of signals before it looks at what is to be done with it, which is nothing known: so it says
 * whether the mask could be read, and does nothing. Allowed where process_vm_readv is not (containers), and ten times
 * cheaper than a pipe.
 */
static bool ask(uintptr_t address)
{
    int before = errno;
    syscall(SYS_rt_sigprocmask, -1, address, NULL, sizeof(signal_mask));
    bool is_readable = errno != EFAULT;
    errno = before;
    return is_readable;
}

void memory_begin(void)
{
    long size = sysconf(_SC_PAGESIZE);
    if (size > 0) page = (uintptr_t)size;
    // Valgrind reports the question as the program's mistake.
    const char *preloaded = own_variable("LD_PRELOAD");
    if (preloaded != NULL && strstr(preloaded, "/vgpreload_") != NULL) return;
    // An emulator may look at it the other way round.
    long closed = kernel_call(SYS_mmap, 0, (long)page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (closed < 0 && closed > -4096) return;
    can_ask = !ask((uintptr_t)closed) && ask((uintptr_t)&own);
    kernel_call(SYS_munmap, closed, (long)page, 0, 0, 0, 0);
}

bool memory_is_readable(uintptr_t address)
{
    return can_ask && address % sizeof(uintptr_t) == 0 && ask(address);
}

bool memory_is_main_thread(void)
{
    if (own.thread == NOT_ASKED) own.thread = kernel_thread() == kernel_process() ? FIRST_THREAD : OTHER_THREAD;
    return own.thread == FIRST_THREAD;
}

/* GCC before 11 has no __builtin_thread_pointer on x86-64. */
static uintptr_t thread_pointer(void)
{
#ifdef __x86_64__
    uintptr_t pointer;
    __asm__("mov %%fs:0, %0" : "=r"(pointer));
    return pointer;
#else
    return (uintptr_t)__builtin_thread_pointer();
#endif
}

/*
 * The end of the thread's stack. The main thread's ends behind the program's name, which the kernel put there; others carry
 * the thread's own data on top.
 */
static uintptr_t top_of_stack(void)
{
    if (!memory_is_main_thread()) return thread_pointer() & ~(page - 1);
    uintptr_t name = (uintptr_t)getauxval(AT_EXECFN);
    return (name & ~(page - 1)) + (name == 0 ? 0 : page);
}

/* Extends what is known of the own stack down to an address. */
static bool extend(uintptr_t address)
{
    if (own.known.to == 0) {
        uintptr_t top = top_of_stack();
        own.known.from = top;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        own.known.to = top;
    }
    uintptr_t from = own.known.from, wanted = address & ~(page - 1);
    if (address >= from || from - wanted > MOST_OWN_STACK) return false;
    if (wanted <= own.floor && !ask(own.floor > address ? own.floor : address)) return false;
    // Not below the address: what lies there is no part of the stack, and tools such as valgrind say so.
    while (from > wanted && ask(from - page > address ? from - page : address)) {
        from -= page;
        own.known.from = from;
    }
    own.floor = from > wanted ? from - page : 0;
    return from <= wanted;
}

struct readable memory_own_stack(void)
{
    struct readable known;
    // A handler in between extends the range downwards: either value is right.
    known.to = own.known.to;
    known.from = own.known.from;
    return known;
}

bool memory_read_page(uintptr_t address, struct readable *other, uintptr_t *value)
{
    if (!can_ask || address % sizeof(uintptr_t) != 0) return false;
    if (address < other->from || address >= other->to) {
        uintptr_t wanted = address & ~(page - 1);
        if (!ask(address)) return false;
        if (wanted == other->to) other->to += page;
        else *other = (struct readable){wanted, wanted + page};
    }
    *value = *(const uintptr_t *)address;
    return true;
}

bool memory_read_slowly(uintptr_t address, struct readable *other, uintptr_t *value)
{
    bool is_known = address >= own.known.from && address < own.known.to && address % sizeof(uintptr_t) == 0;
    if (!is_known && (!can_ask || !extend(address))) return memory_read_page(address, other, value);
    *value = *(const uintptr_t *)address;
    return true;
}
