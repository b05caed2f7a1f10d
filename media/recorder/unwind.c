/*
 * Unwinding. What the tables say of a return address is worked out once and kept in a cache that all threads share, without
 * a lock: an entry's first word is made of all others, so that one which is being replaced fits no address.
 *
 * Nothing that was read is followed without a check: the canonical frame address must grow, memory is read only where it is
 * known to be (memory.c), and an address that frame pointers led to must stand behind a call.
 */
#include "unwind.h"
#include "machine.h"
#include "memory.h"
#include "modules.h"
#include "recorder.h"

#if UNWINDS_TABLES

#define ENTRIES_BITS 14
#define ENTRIES (1u << ENTRIES_BITS)
/* Addresses below are never code: the kernel maps nothing there. */
#define LEAST_ADDRESS 4096
/* Frames that frame pointers skip are never larger. */
#define MOST_FRAME ((uintptr_t)64 << 20)

struct entry {
    uint64_t key;
    uint64_t cfa_and_fp;
    uint64_t return_and_version;
    uint64_t rest;
};

static struct entry *entries;

/* A frame, as far as it matters for finding its caller. */
struct cursor {
    uintptr_t pc;
    uintptr_t sp;
    uintptr_t fp;
#ifdef __aarch64__
    /* The return address, while it is still in its register. */
    uintptr_t lr;
#endif
    /* `pc` is not a return address but where a signal interrupted the function. */
    bool isExact;
    /* Else `sp` is only known to be no greater. */
    bool isSpKnown;
    struct readable own;
    struct readable other;
};

bool unwind_begin(void)
{
    memory_begin();
    modules_begin();
    entries = kernel_memory(ENTRIES * sizeof *entries);
    return entries != NULL;
}

void unwind_forget(bool had_threads)
{
    kernel_memory_clear(entries, ENTRIES * sizeof *entries);
    modules_forget(had_threads);
}

/* ---- rules ---- */

static uint64_t mixed(uint64_t a, uint64_t b, uint64_t c)
{
    return a * 0x9e3779b97f4a7c15u + b * 0xc2b2ae3d27d4eb4fu + (c ^ c >> 29) * 0x165667b19e3779f9u;
}

static struct entry *entry_of(uintptr_t address)
{
    return &entries[(uint64_t)address * 0x9e3779b97f4a7c15u >> (64 - ENTRIES_BITS)];
}

#define LOAD(word) __atomic_load_n(&(word), __ATOMIC_RELAXED)
#define STORE(word, value) __atomic_store_n(&(word), value, __ATOMIC_RELAXED)

static __attribute__((noinline)) void find_rule(uintptr_t address, struct frame_rule *rule)
{
    code_rule(address, rule);
    struct entry *entry = entry_of(address);
    uint64_t version = __atomic_load_n(&modules_version, __ATOMIC_ACQUIRE);
    uint64_t a = (uint32_t)rule->cfa_offset | (uint64_t)(uint32_t)rule->fp_offset << 32;
    uint64_t b = (uint32_t)rule->return_offset | version << 32;
    uint64_t c = rule->module | (uint64_t)rule->flags << 16 | (uint64_t)(uint32_t)rule->after_offset << 32;
    STORE(entry->cfa_and_fp, a);
    STORE(entry->return_and_version, b);
    STORE(entry->rest, c);
    STORE(entry->key, address ^ mixed(a, b, c));
}

static inline void rule_at(uintptr_t address, uint32_t version, struct frame_rule *rule)
{
    const struct entry *entry = entry_of(address);
    uint64_t key = LOAD(entry->key), a = LOAD(entry->cfa_and_fp), b = LOAD(entry->return_and_version), c = LOAD(entry->rest);
    if (UNLIKELY((key ^ mixed(a, b, c)) != address || (uint32_t)(b >> 32) != version)) {
        find_rule(address, rule);
        return;
    }
    rule->cfa_offset = (int32_t)a;
    rule->fp_offset = (int32_t)(a >> 32);
    rule->return_offset = (int32_t)b;
    rule->module = (uint16_t)c;
    rule->flags = (uint16_t)(c >> 16);
    rule->after_offset = (int32_t)(c >> 32);
}

uint16_t module_of_address(uintptr_t address)
{
    struct frame_rule rule;
    rule_at(address - 1, __atomic_load_n(&modules_version, __ATOMIC_ACQUIRE), &rule);
    return rule.module;
}

/* ---- frames ---- */

static inline bool read_word(struct cursor *cursor, uintptr_t address, uintptr_t *value)
{
    if (LIKELY(address >= cursor->own.from && address < cursor->own.to && address % sizeof(uintptr_t) == 0)) {
        *value = *(const uintptr_t *)address;
        return true;
    }
    if (!memory_read_slowly(address, &cursor->other, value)) return false;
    cursor->own = memory_own_stack();
    return true;
}

static bool to_interrupted(struct cursor *cursor)
{
    uintptr_t context = cursor->sp;
    if (!cursor->isSpKnown || !read_word(cursor, context + SIGNAL_PC, &cursor->pc)) return false;
#ifdef __aarch64__
    if (!read_word(cursor, context + SIGNAL_LR, &cursor->lr)) return false;
    cursor->lr = plain_return_address(cursor->lr);
#endif
    cursor->isExact = true;
    return read_word(cursor, context + SIGNAL_FP, &cursor->fp) && read_word(cursor, context + SIGNAL_SP, &cursor->sp);
}

/* Both machines keep the caller's frame pointer and the return address side by side where the frame pointer points to. */
static bool to_caller_by_frame_pointer(struct cursor *cursor)
{
    uintptr_t frame = cursor->fp, caller, next;
    if (frame < cursor->sp || frame - cursor->sp > MOST_FRAME || frame % sizeof(uintptr_t) != 0) return false;
    if (!read_word(cursor, frame + sizeof(uintptr_t), &next) || !read_word(cursor, frame, &caller)) return false;
    cursor->pc = plain_return_address(next);
    cursor->fp = caller;
    cursor->sp = frame + 2 * sizeof(uintptr_t);
    // On arm64 there may be local variables behind the two.
    cursor->isSpKnown = REGISTER_PC >= 0;
    cursor->isExact = false;
    return true;
}

static inline bool to_caller_by_table(struct cursor *cursor, const struct frame_rule *rule)
{
    uintptr_t cfa = (rule->flags & RULE_CFA_BY_FP ? cursor->fp : cursor->sp) + (uintptr_t)(intptr_t)rule->cfa_offset;
    if (UNLIKELY(rule->flags & RULE_CFA_READ)) {
        if (!read_word(cursor, cfa, &cfa)) return false;
        cfa += (uintptr_t)(intptr_t)rule->after_offset;
    }
    // A function that was interrupted may not have moved the stack pointer yet.
    if (cfa < cursor->sp || (cfa == cursor->sp && !cursor->isExact)) return false;
    uintptr_t next;
    if (LIKELY(rule->flags & RULE_RETURN_SAVED)) {
        if (!read_word(cursor, cfa + (uintptr_t)(intptr_t)rule->return_offset, &next)) return false;
#ifdef __aarch64__
    } else if (cursor->isExact) {
        next = cursor->lr;
#endif
    } else return false;
    uintptr_t base = UNLIKELY(rule->flags & RULE_FP_BY_FP) ? cursor->fp : cfa;
    if ((rule->flags & RULE_FP_SAVED) && !read_word(cursor, base + (uintptr_t)(intptr_t)rule->fp_offset, &cursor->fp))
        return false;
    cursor->pc = plain_return_address(next);
    cursor->sp = cfa;
    cursor->isSpKnown = true;
    cursor->isExact = false;
    return true;
}

static inline bool to_caller(struct cursor *cursor, const struct frame_rule *rule)
{
    if (UNLIKELY(rule->flags & (RULE_OUTERMOST | RULE_SIGNAL | RULE_FRAME_POINTER))) {
        if (rule->flags & RULE_OUTERMOST) return false;
        return rule->flags & RULE_SIGNAL ? to_interrupted(cursor) : to_caller_by_frame_pointer(cursor);
    }
    if (UNLIKELY(!cursor->isSpKnown && !(rule->flags & RULE_CFA_BY_FP))) return to_caller_by_frame_pointer(cursor);
    return to_caller_by_table(cursor, rule);
}

/* Whether the frame is one: garbage that looks like a frame's end must not be taken for an address. */
static inline bool is_code(const struct cursor *cursor, const struct frame_rule *rule, bool isGuessed)
{
    if (LIKELY(rule->flags & (RULE_AFTER_CALL | RULE_SIGNAL))) return true;
    return !isGuessed && (rule->module != 0 || (rule->flags & RULE_RECORDER) || cursor->isExact);
}

/* The frame of the wrapper's caller. */
static inline __attribute__((always_inline)) void begin_at(struct cursor *cursor, void *frame, uint32_t version)
{
    *cursor = (struct cursor){.isSpKnown = true, .own = memory_own_stack()};
#ifdef __x86_64__
    (void)version;
    cursor->fp = ((uintptr_t *)frame)[0];
    cursor->pc = ((uintptr_t *)frame)[1];
    cursor->sp = (uintptr_t)frame + 2 * sizeof(uintptr_t);
#else
    // Here the frame pointer does not say where the frame ends: our own tables do.
    __asm__ volatile("adr %0, ." : "=r"(cursor->pc));
    __asm__ volatile("mov %0, sp" : "=r"(cursor->sp));
    cursor->fp = (uintptr_t)__builtin_frame_address(0);
    cursor->isExact = true;
    while (cursor->sp <= (uintptr_t)frame) {
        struct frame_rule rule;
        rule_at(cursor->pc - !cursor->isExact, version, &rule);
        if (to_caller(cursor, &rule)) continue;
        cursor->fp = (uintptr_t)frame;
        cursor->sp = (uintptr_t)frame;
        to_caller_by_frame_pointer(cursor);
    }
#endif
}

void unwind(void *frame_of_wrapper, unsigned depth, struct machine_stack *stack)
{
    uint32_t version = __atomic_load_n(&modules_version, __ATOMIC_ACQUIRE);
    uint64_t sum = version;
    unsigned count = 0;
    bool isGuessed = false;
    struct cursor cursor;
    begin_at(&cursor, frame_of_wrapper, version);
    stack->isInterrupted = false;
    while (cursor.pc >= LEAST_ADDRESS && count < depth) {
        struct frame_rule rule;
        uintptr_t address = cursor.pc + cursor.isExact;
        rule_at(address - 1, version, &rule);
        if (UNLIKELY(!is_code(&cursor, &rule, isGuessed))) break;
        bool isProgram = LIKELY(!(rule.flags & RULE_RECORDER));
        if (isProgram) {
            stack->addresses[count++] = address;
            if (stack->ends != NULL) stack->ends[count - 1] = 0;
            sum = (sum ^ address) * 0x9e3779b97f4a7c15u;
            sum ^= sum >> 32;
        }
        bool isSignal = (rule.flags & RULE_SIGNAL) != 0;
        isGuessed = ((rule.flags & RULE_FRAME_POINTER) != 0 && !isSignal) || !cursor.isSpKnown;
        stack->isInterrupted |= isSignal;
        if (!to_caller(&cursor, &rule)) break;
        if (isProgram && stack->ends != NULL) stack->ends[count - 1] = cursor.sp;
    }
    stack->count = count;
    stack->hash = sum;
}

#else

/* Other machines have no table reader here, and their frame pointers, where there are any, lie elsewhere. */
bool unwind_begin(void)
{
    return false;
}

void unwind_forget(bool had_threads)
{
    (void)had_threads;
}

void unwind(void *frame_of_wrapper, unsigned depth, struct machine_stack *stack)
{
    (void)frame_of_wrapper;
    (void)depth;
    stack->count = 0;
}

uint16_t module_of_address(uintptr_t address)
{
    (void)address;
    return 0;
}

#endif
