/* The last stack of a thread: where most frames are those of the call before, only what changed is walked. */
#include "unwind.h"
#include "frames.h"

#if UNWINDS_TABLES

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
    bool is_own = address >= cursor->own.from && address < cursor->own.to && address % sizeof(uintptr_t) == 0;
    return is_own ? (const uintptr_t *)address : NULL;
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
    frame->is_program = (rule.flags & RULE_RECORDER) == 0;
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
        frame->depth = (count == 0 ? 0 : frame[-1].depth) + frame->is_program;
        if (frame->is_program) frame->hash = (frame->hash ^ frame->pc) * 0x9e3779b97f4a7c15u;
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
    if (cursor.is_exact || !cursor.is_sp_known) return NULL;
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
    if (walk->is_busy) return 0;
    if (walk->pause > 0) {
        walk->pause--;
        return 0;
    }
    walk->is_busy = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (walk->version != version) walk->count = 0;
    walk->version = version;
    const struct walked *innermost = follow(frame_of_wrapper, walk);
    bool is_whole = innermost != NULL && innermost->depth <= depth;
    if (!is_whole) {
        walk->count = 0;
        walk->pause = PAUSE;
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint64_t hash = is_whole ? innermost->hash : 0;
    walk->is_busy = false;
    return hash;
}

#else

uint64_t unwind_again(void *frame_of_wrapper, unsigned depth, struct walk *walk)
{
    (void)frame_of_wrapper;
    (void)depth;
    (void)walk;
    return 0;
}

#endif
