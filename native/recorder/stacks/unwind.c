/* Unwinding a whole stack, and what is rare in a step of it (frames.h). */
#include "unwind.h"
#include "frames.h"

#if UNWINDS_TABLES

#define MOST_ENTRY_BITS 14
#define MOST_ENTRIES (1u << MOST_ENTRY_BITS)
/* A page of them: see FIRST_STACKS in stack.c. */
#define FIRST_ENTRY_BITS 7
/* Frames that frame pointers skip are never larger. */
#define MOST_FRAME ((uintptr_t)64 << 20)

struct entry *entries;
int entry_bits = FIRST_ENTRY_BITS;

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

#define STORE(word, value) __atomic_store_n(&(word), value, __ATOMIC_RELAXED)

/* It is in use: not only left from when there were fewer entries, and other addresses came to lie here. */
static bool is_of_another(const struct entry *entry, uintptr_t address)
{
    uint64_t other = LOAD(entry->key) ^ mixed(LOAD(entry->cfa_and_fp), LOAD(entry->return_and_version), LOAD(entry->rest));
    return LOAD(entry->key) != 0 && other != address && entry_of(other) == entry;
}

__attribute__((noinline)) void find_rule(uintptr_t address, struct frame_rule *rule)
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

uint16_t module_of_address(uintptr_t address)
{
    struct frame_rule rule;
    rule_at(address - 1, __atomic_load_n(&modules_version, __ATOMIC_ACQUIRE), &rule);
    return rule.module;
}

bool to_interrupted(struct cursor *cursor)
{
    uintptr_t context = cursor->sp;
    if (!cursor->is_sp_known || !read_word(cursor, context + SIGNAL_PC, &cursor->pc)) return false;
#ifdef __aarch64__
    if (!read_word(cursor, context + SIGNAL_LR, &cursor->lr)) return false;
    cursor->lr = plain_return_address(cursor->lr);
#endif
    cursor->is_exact = true;
    return read_word(cursor, context + SIGNAL_FP, &cursor->fp) && read_word(cursor, context + SIGNAL_SP, &cursor->sp);
}

/* Both machines keep the caller's frame pointer and the return address side by side where the frame pointer points to. */
bool to_caller_by_frame_pointer(struct cursor *cursor)
{
    uintptr_t frame = cursor->fp, caller, next;
    if (frame < cursor->sp || frame - cursor->sp > MOST_FRAME || frame % sizeof(uintptr_t) != 0) return false;
    if (!read_word(cursor, frame + sizeof(uintptr_t), &next) || !read_word(cursor, frame, &caller)) return false;
    cursor->pc = plain_return_address(next);
    cursor->fp = caller;
    cursor->sp = frame + 2 * sizeof(uintptr_t);
    // On arm64 there may be local variables behind the two.
    cursor->is_sp_known = REGISTER_PC >= 0;
    cursor->is_exact = false;
    return true;
}

void unwind(void *frame_of_wrapper, unsigned depth, struct machine_stack *stack)
{
    uint32_t version = __atomic_load_n(&modules_version, __ATOMIC_ACQUIRE);
    uint64_t sum = version;
    unsigned count = 0;
    bool is_guessed = false;
    struct cursor cursor;
    begin_at(&cursor, frame_of_wrapper, version);
    stack->is_interrupted = false;
    while (cursor.pc >= LEAST_ADDRESS && count < depth) {
        struct frame_rule rule;
        uintptr_t address = cursor.pc + cursor.is_exact;
        rule_at(address - 1, version, &rule);
        if (UNLIKELY(!is_code(&cursor, &rule, is_guessed))) break;
        bool is_program = LIKELY(!(rule.flags & RULE_RECORDER));
        if (is_program) {
            stack->addresses[count++] = address;
            if (stack->ends != NULL) stack->ends[count - 1] = 0;
            sum = (sum ^ address) * 0x9e3779b97f4a7c15u;
            sum ^= sum >> 32;
        }
        bool is_signal = (rule.flags & RULE_SIGNAL) != 0;
        is_guessed = ((rule.flags & RULE_FRAME_POINTER) != 0 && !is_signal) || !cursor.is_sp_known;
        stack->is_interrupted |= is_signal;
        if (!to_caller(&cursor, &rule)) break;
        if (is_program && stack->ends != NULL) stack->ends[count - 1] = cursor.sp;
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
