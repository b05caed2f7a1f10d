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

#define MOST_ENTRY_BITS 14
#define MOST_ENTRIES (1u << MOST_ENTRY_BITS)
/* A page of them: see FIRST_STACKS in stack.c. */
#define FIRST_ENTRY_BITS 7
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
static int entry_bits = FIRST_ENTRY_BITS;

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
    entries = kernel_memory(MOST_ENTRIES * sizeof *entries);
    return entries != NULL;
}

void unwind_forget(bool had_threads)
{
    kernel_memory_clear(entries, MOST_ENTRIES * sizeof *entries);
    entry_bits = FIRST_ENTRY_BITS;
    modules_forget(had_threads);
}

/* ---- rules ---- */

static uint64_t mixed(uint64_t a, uint64_t b, uint64_t c)
{
    return a * 0x9e3779b97f4a7c15u + b * 0xc2b2ae3d27d4eb4fu + (c ^ c >> 29) * 0x165667b19e3779f9u;
}

#define LOAD(word) __atomic_load_n(&(word), __ATOMIC_RELAXED)
#define STORE(word, value) __atomic_store_n(&(word), value, __ATOMIC_RELAXED)

static struct entry *entry_of(uintptr_t address)
{
    return &entries[(uint64_t)address * 0x9e3779b97f4a7c15u >> (64 - LOAD(entry_bits))];
}

/* It is in use: not only left from when there were fewer entries, and other addresses came to lie here. */
static bool is_of_another(const struct entry *entry, uintptr_t address)
{
    uint64_t other = LOAD(entry->key) ^ mixed(LOAD(entry->cfa_and_fp), LOAD(entry->return_and_version), LOAD(entry->rest));
    return LOAD(entry->key) != 0 && other != address && entry_of(other) == entry;
}

static __attribute__((noinline)) void find_rule(uintptr_t address, struct frame_rule *rule)
{
    code_rule(address, rule);
    struct entry *entry = entry_of(address);
    int bits = LOAD(entry_bits);
    if (bits < MOST_ENTRY_BITS && is_of_another(entry, address)) {
        STORE(entry_bits, bits + 1);
        entry = entry_of(address);
    }
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

/* ---- the last stack of the thread ---- */

/* What is in a walk that was not remembered: how many stacks are then followed without trying again. */
#define PAUSE 32
/* Rules by which a walk needs more than what a frame of a walk holds. */
#define UNUSUAL_RULES (RULE_CFA_READ | RULE_SIGNAL | RULE_FRAME_POINTER | RULE_FP_BY_FP)

/* The first frame, from the outermost of `count` on, that does not lead to the next any more, and 1; 0: all do. */
static inline unsigned first_changed(const struct walked *frames, unsigned count)
{
    for (unsigned i = count - 1; i > 0; i--) {
        const struct walked *frame = &frames[i], *caller = frame - 1;
        if (plain_return_address(*frame->return_at) != caller->pc) return i;
        if (frame->fp_at != NULL && *frame->fp_at != caller->fp) return i;
    }
    return 0;
}

/* How many frames, from the outermost on, are those of the last walk; `candidates` are still to be looked at. */
static inline unsigned same_frames(const struct walk *walk, const struct cursor *cursor, unsigned *candidates)
{
    const struct walked *frames = walk->frames;
    while (*candidates > 0 && frames[*candidates - 1].sp < cursor->sp) --*candidates;
    unsigned count = *candidates;
    if (count == 0) return 0;
    const struct walked *same = &frames[count - 1];
    if (same->sp != cursor->sp || same->pc != cursor->pc || same->fp != cursor->fp) return 0;
    *candidates = first_changed(frames, count);
    return *candidates == 0 ? count : 0;
}

/* A word of the stack that stays readable as long as the thread lives; NULL: it is none. */
static inline const uintptr_t *own_word(const struct cursor *cursor, uintptr_t address)
{
    bool isOwn = address >= cursor->own.from && address < cursor->own.to && address % sizeof(uintptr_t) == 0;
    return isOwn ? (const uintptr_t *)address : NULL;
}

enum step { STEPPED, ENDED, FAILED };

/* To the caller, in one of the usual ways; `frame` keeps what that depends on. */
static inline enum step step_outwards(struct cursor *cursor, uint32_t version, struct walked *frame)
{
    struct frame_rule rule;
    *frame = (struct walked){.pc = cursor->pc, .sp = cursor->sp, .fp = cursor->fp};
    if (cursor->pc < LEAST_ADDRESS) return ENDED;
    rule_at(cursor->pc - 1, version, &rule);
    if (rule.flags & UNUSUAL_RULES) return FAILED;
    if (!is_code(cursor, &rule, false)) return ENDED;
    frame->isProgram = (rule.flags & RULE_RECORDER) == 0;
    if (rule.flags & RULE_OUTERMOST) return ENDED;
    uintptr_t cfa = (rule.flags & RULE_CFA_BY_FP ? cursor->fp : cursor->sp) + (uintptr_t)(intptr_t)rule.cfa_offset;
    frame->return_at = own_word(cursor, cfa + (uintptr_t)(intptr_t)rule.return_offset);
    if (rule.flags & RULE_FP_SAVED) frame->fp_at = own_word(cursor, cfa + (uintptr_t)(intptr_t)rule.fp_offset);
    if (frame->return_at == NULL || ((rule.flags & RULE_FP_SAVED) && frame->fp_at == NULL)) return FAILED;
    return to_caller_by_table(cursor, &rule) ? STEPPED : FAILED;
}

/* Puts `fresh` frames, innermost first, inside of the `same` ones. */
static void keep_walk(struct walk *walk, unsigned same, unsigned fresh)
{
    for (unsigned count = same; fresh > 0; count++) {
        struct walked *frame = &walk->frames[count];
        *frame = walk->fresh[--fresh];
        frame->hash = count == 0 ? walk->version : frame[-1].hash;
        frame->depth = (count == 0 ? 0 : frame[-1].depth) + frame->isProgram;
        if (frame->isProgram) frame->hash = (frame->hash ^ frame->pc) * 0x9e3779b97f4a7c15u;
        frame->hash ^= frame->hash >> 32;
        walk->count = count + 1;
    }
}

/* The innermost frame of the walk; NULL where it is not one that can be remembered. */
static const struct walked *follow(void *frame_of_wrapper, struct walk *walk)
{
    unsigned candidates = walk->count, same = 0, fresh = 0;
    struct cursor cursor;
    begin_at(&cursor, frame_of_wrapper, walk->version);
    if (cursor.isExact || !cursor.isSpKnown) return NULL;
    for (enum step step = STEPPED; step != ENDED; fresh++) {
        same = same_frames(walk, &cursor, &candidates);
        if (same > 0) break;
        if (fresh == MOST_WALKED) return NULL;
        step = step_outwards(&cursor, walk->version, &walk->fresh[fresh]);
        if (step == FAILED) return NULL;
    }
    if (same + fresh > MOST_WALKED) return NULL;
    keep_walk(walk, same, fresh);
    return &walk->frames[same + fresh - 1];
}

uint64_t unwind_again(void *frame_of_wrapper, unsigned depth, struct walk *walk)
{
    uint32_t version = __atomic_load_n(&modules_version, __ATOMIC_ACQUIRE);
    // A handler interrupted a walk; one that left it by a jump costs the thread its short cut.
    if (walk->isBusy) return 0;
    if (walk->pause > 0) {
        walk->pause--;
        return 0;
    }
    walk->isBusy = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (walk->version != version) walk->count = 0;
    walk->version = version;
    const struct walked *innermost = follow(frame_of_wrapper, walk);
    bool isWhole = innermost != NULL && innermost->depth <= depth;
    if (!isWhole) {
        walk->count = 0;
        walk->pause = PAUSE;
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint64_t hash = isWhole ? innermost->hash : 0;
    walk->isBusy = false;
    return hash;
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

uint64_t unwind_again(void *frame_of_wrapper, unsigned depth, struct walk *walk)
{
    (void)frame_of_wrapper;
    (void)depth;
    (void)walk;
    return 0;
}

uint16_t module_of_address(uintptr_t address)
{
    (void)address;
    return 0;
}

#endif
