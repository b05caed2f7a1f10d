/*
 * One step of unwinding: from a frame to its caller's. What the tables say of a return address is worked out once and kept in
 * a cache that all threads share, without a lock: an entry's first word is made of all others, so that one which is being
 * replaced fits no address.
 *
 * Nothing that was read is followed without a check: the canonical frame address must grow, memory is read only where it is
 * known to be (machine/memory.c), and an address that frame pointers led to must stand behind a call.
 */
#ifndef IOLENS_FRAMES_H
#define IOLENS_FRAMES_H

#include "processor.h"
#include "../machine/memory.h"
#include "modules.h"
#include "../recorder.h"

#if UNWINDS_TABLES

/* Addresses below are never code: the kernel maps nothing there. */
#define LEAST_ADDRESS 4096

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
    bool is_exact;
    /* Else `sp` is only known to be no greater. */
    bool is_sp_known;
    struct readable own;
    struct readable other;
};

/* ---- rules ---- */

struct entry {
    uint64_t key;
    uint64_t cfa_and_fp;
    uint64_t return_and_version;
    uint64_t rest;
};

/* As many as there is room for; of these 2 to the power of entry_bits are used. */
extern struct entry *entries;
extern int entry_bits;

#define LOAD(word) __atomic_load_n(&(word), __ATOMIC_RELAXED)

static inline uint64_t mixed(uint64_t a, uint64_t b, uint64_t c)
{
    return a * 0x9e3779b97f4a7c15u + b * 0xc2b2ae3d27d4eb4fu + (c ^ c >> 29) * 0x165667b19e3779f9u;
}

static inline struct entry *entry_of(uintptr_t address)
{
    return &entries[(uint64_t)address * 0x9e3779b97f4a7c15u >> (64 - LOAD(entry_bits))];
}

/* Works the rule out, and keeps it. */
void find_rule(uintptr_t address, struct frame_rule *rule);

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

/* To the function that a signal interrupted. */
bool to_interrupted(struct cursor *cursor);
bool to_caller_by_frame_pointer(struct cursor *cursor);

static inline bool to_caller_by_table(struct cursor *cursor, const struct frame_rule *rule)
{
    uintptr_t cfa = (rule->flags & RULE_CFA_BY_FP ? cursor->fp : cursor->sp) + (uintptr_t)(intptr_t)rule->cfa_offset;
    if (UNLIKELY(rule->flags & RULE_CFA_READ)) {
        if (!read_word(cursor, cfa, &cfa)) return false;
        cfa += (uintptr_t)(intptr_t)rule->after_offset;
    }
    // A function that was interrupted may not have moved the stack pointer yet.
    if (cfa < cursor->sp || (cfa == cursor->sp && !cursor->is_exact)) return false;
    uintptr_t next;
    if (LIKELY(rule->flags & RULE_RETURN_SAVED)) {
        if (!read_word(cursor, cfa + (uintptr_t)(intptr_t)rule->return_offset, &next)) return false;
#ifdef __aarch64__
    } else if (cursor->is_exact) {
        next = cursor->lr;
#endif
    } else return false;
    uintptr_t base = UNLIKELY(rule->flags & RULE_FP_BY_FP) ? cursor->fp : cfa;
    if ((rule->flags & RULE_FP_SAVED) && !read_word(cursor, base + (uintptr_t)(intptr_t)rule->fp_offset, &cursor->fp))
        return false;
    cursor->pc = plain_return_address(next);
    cursor->sp = cfa;
    cursor->is_sp_known = true;
    cursor->is_exact = false;
    return true;
}

static inline bool to_caller(struct cursor *cursor, const struct frame_rule *rule)
{
    if (UNLIKELY(rule->flags & (RULE_OUTERMOST | RULE_SIGNAL | RULE_FRAME_POINTER))) {
        if (rule->flags & RULE_OUTERMOST) return false;
        return rule->flags & RULE_SIGNAL ? to_interrupted(cursor) : to_caller_by_frame_pointer(cursor);
    }
    if (UNLIKELY(!cursor->is_sp_known && !(rule->flags & RULE_CFA_BY_FP))) return to_caller_by_frame_pointer(cursor);
    return to_caller_by_table(cursor, rule);
}

/* Whether the frame is one: garbage that looks like a frame's end must not be taken for an address. */
static inline bool is_code(const struct cursor *cursor, const struct frame_rule *rule, bool is_guessed)
{
    if (LIKELY(rule->flags & (RULE_AFTER_CALL | RULE_SIGNAL))) return true;
    return !is_guessed && (rule->module != 0 || (rule->flags & RULE_RECORDER) || cursor->is_exact);
}

/* The frame of the wrapper's caller. */
static inline __attribute__((always_inline)) void begin_at(struct cursor *cursor, void *frame, uint32_t version)
{
    *cursor = (struct cursor){.is_sp_known = true, .own = memory_own_stack()};
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
    cursor->is_exact = true;
    while (cursor->sp <= (uintptr_t)frame) {
        struct frame_rule rule;
        rule_at(cursor->pc - !cursor->is_exact, version, &rule);
        if (to_caller(cursor, &rule)) continue;
        cursor->fp = (uintptr_t)frame;
        cursor->sp = (uintptr_t)frame;
        to_caller_by_frame_pointer(cursor);
    }
#endif
}

#endif
#endif
