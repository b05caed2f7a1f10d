/*
 * Call stacks by number. A stack that was seen before is found by the hash of its addresses; else its nodes are looked up
 * from the outermost on, and those that are new are defined. All tables are bounded: what does not fit has no stack, and the
 * recording says so.
 */
#include "../recorder.h"
#include "modules.h"
#include "python.h"
#include "unwind.h"

#define MOST_DEPTH 256
#define MOST_NODES (1u << 18)
#define MOST_SLOTS (2 * MOST_NODES)
#define MOST_STACKS (1u << 14)
/* A page of each: most processes are short, and every page that they touch costs them more than a call's recording. */
#define FIRST_SLOTS 1024u
#define FIRST_STACKS 256u

/* In place of a module: the node is a frame of Python, and its address is what tells it from others. */
#define IN_PYTHON UINT32_MAX

struct node {
    uint64_t address;
    uint32_t caller;
    uint32_t module;
};

/* The innermost node of a stack; `check` is its hash and its node. */
struct known_stack {
    uint64_t check;
    uint64_t node;
};

static unsigned most_depth;
static unsigned chosen_of;
static struct node *nodes;
static uint32_t node_count;
/* Open addressing: numbers of nodes, in at most half of the `slot_count` slots that are in use. */
static uint32_t *slots;
static uint32_t slot_count = FIRST_SLOTS;
/* Those of which the last one lay at the same place are forgotten. */
static struct known_stack *stacks;
static uint32_t stack_places = FIRST_STACKS;
static bool is_full;

static __thread uint64_t random_state;

void stacks_begin(unsigned depth, unsigned one_of)
{
    if (depth == 0) return;
    chosen_of = one_of;
    slots = kernel_memory(MOST_SLOTS * sizeof *slots);
    nodes = kernel_memory((MOST_NODES + 1) * sizeof *nodes);
    stacks = kernel_memory(MOST_STACKS * sizeof *stacks);
    if (slots != NULL && nodes != NULL && stacks != NULL && unwind_begin()) most_depth = depth < MOST_DEPTH ? depth : MOST_DEPTH;
    else note("There are no call stacks: memory is short, or the processor is neither x86_64 nor arm64.");
    if (most_depth > 0) python_begin();
}

void stacks_forget(bool had_threads)
{
    if (most_depth == 0) return;
    kernel_memory_clear(slots, MOST_SLOTS * sizeof *slots);
    kernel_memory_clear(stacks, MOST_STACKS * sizeof *stacks);
    slot_count = FIRST_SLOTS;
    stack_places = FIRST_STACKS;
    node_count = 0;
    is_full = false;
    random_state = 0;
    unwind_forget(had_threads);
}

/* By chance, not every so-manieth: a loop of as many calls would always show the same one. (Marsaglia's xorshift.) */
static bool is_chosen(void)
{
    if (chosen_of <= 1) return true;
    uint64_t state = random_state;
    if (state == 0) state = (monotonic_time() ^ (uintptr_t)&random_state) * 0x9e3779b97f4a7c15u | 1;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    random_state = state;
    return (state >> 32) * chosen_of >> 32 == 0;
}

static uint32_t hash_of(const struct node *node)
{
    uint64_t sum = (node->address + ((uint64_t)node->module << 48)) * 0x9e3779b97f4a7c15u;
    sum = (sum ^ sum >> 32 ^ node->caller) * 0xc2b2ae3d27d4eb4fu;
    return (uint32_t)(sum >> 40);
}

/* The node's number, or 0 and the slot where it belongs. */
static uint32_t find_node(const struct node *node, uint32_t *slot)
{
    uint32_t mask = __atomic_load_n(&slot_count, __ATOMIC_RELAXED) - 1;
    for (uint32_t at = hash_of(node) & mask;; at = (at + 1) & mask) {
        uint32_t number = __atomic_load_n(&slots[at], __ATOMIC_ACQUIRE);
        const struct node *known = &nodes[number];
        *slot = at;
        if (number == 0) return 0;
        if (known->address == node->address && known->caller == node->caller && known->module == node->module) return number;
    }
}

/* With the lock held. Who looks meanwhile may not find a node, and looks again with the lock. */
static void use_more_slots(void)
{
    uint32_t slot;
    for (uint32_t at = 0; at < slot_count; at++) __atomic_store_n(&slots[at], 0, __ATOMIC_RELAXED);
    __atomic_store_n(&slot_count, 2 * slot_count, __ATOMIC_RELAXED);
    for (uint32_t number = 1; number <= node_count; number++) {
        find_node(&nodes[number], &slot);
        __atomic_store_n(&slots[slot], number, __ATOMIC_RELEASE);
    }
}

static void tell_full(void)
{
    static const char TEXT[] = "More different call stacks than the recorder has memory for: calls from the later ones have none.";
    struct definition definition;
    if (is_full || !definition_begin(&definition, DEFINE_NOTE, sizeof TEXT + 8)) return;
    is_full = true;
    define_text(&definition, TEXT, sizeof TEXT - 1);
    definition_end(&definition);
}

/* The body of a definition. */
static void define_node(struct definition *definition, const struct node *node, uint32_t number, const struct python_line *line)
{
    define(definition, number);
    define(definition, node->caller);
    if (line == NULL) {
        define(definition, node->module);
        define(definition, node->address);
    } else {
        define(definition, line->function);
        define(definition, line->file);
        define(definition, line->line);
    }
}

static uint32_t add_node(const struct node *node, const struct python_line *line)
{
    uint32_t slot;
    signal_mask before;
    definitions_lock(&before);
    if (2 * (node_count + 1) > slot_count && slot_count < MOST_SLOTS) use_more_slots();
    uint32_t number = find_node(node, &slot);
    enum definition_kind kind = line == NULL ? DEFINE_STACK_NODE : DEFINE_NAMED_NODE;
    struct definition definition;
    if (number == 0 && node_count == MOST_NODES) tell_full();
    else if (number == 0 && definition_begin(&definition, kind, 48)) {
        number = ++node_count;
        define_node(&definition, node, number, line);
        definition_end(&definition);
        nodes[number] = *node;
        __atomic_store_n(&slots[slot], number, __ATOMIC_RELEASE);
    }
    definitions_unlock(&before);
    return number;
}

/* ---- from a stack to its innermost node; 0 where there is no room ---- */

static uint32_t node_of_address(uintptr_t address, uint32_t caller)
{
    uint16_t module = module_of_address(address);
    struct node node = {address - module_bias(module), caller, module};
    uint32_t slot, number = find_node(&node, &slot);
    return number != 0 ? number : add_node(&node, NULL);
}

static uint32_t node_of_python(const struct python_frame *frame, uint32_t caller)
{
    struct node node = {frame->identity, caller, IN_PYTHON};
    uint32_t slot, number = find_node(&node, &slot);
    if (number != 0) return number;
    struct python_line line;
    return python_describe(frame, &line) ? add_node(&node, &line) : caller;
}

static uint32_t innermost_node(const struct machine_stack *stack)
{
    uint32_t number = 0;
    for (unsigned i = stack->count; i > 0; i--) {
        number = node_of_address(stack->addresses[i - 1], number);
        if (number == 0) return 0;
    }
    return number;
}

/* Frames of Python, `count` with the ends of groups among them. */
struct python_stack {
    struct python_frame *frames;
    unsigned count;
};

/*
 * The order of both kinds of frames, innermost first: machine frames as their index, those of Python as theirs behind the
 * former. What a call of the interpreter's evaluation loop went through stands in place of the loop's own frame.
 */
static unsigned joined(const struct machine_stack *stack, const struct python_stack *python, uint16_t *places)
{
    unsigned place = 0, next = 0;
    for (unsigned i = 0; i < stack->count && place < most_depth; i++) {
        unsigned end = next;
        while (end < python->count && python->frames[end].code != 0) end++;
        if (end == python->count || python->frames[end].place >= stack->ends[i]) {
            places[place++] = (uint16_t)i;
            continue;
        }
        for (; next < end && place < most_depth; next++) places[place++] = (uint16_t)(stack->count + next);
        next = end + 1;
    }
    // Where the machine's stack could not be followed to its end.
    for (; next < python->count && place < most_depth; next++)
        if (python->frames[next].code != 0) places[place++] = (uint16_t)(stack->count + next);
    return place;
}

static uint32_t innermost_joined_node(const struct machine_stack *stack, const struct python_stack *python)
{
    uint16_t places[most_depth];
    uint32_t number = 0;
    for (unsigned place = joined(stack, python, places); place > 0; place--) {
        unsigned at = places[place - 1];
        if (at < stack->count) number = node_of_address(stack->addresses[at], number);
        else number = node_of_python(&python->frames[at - stack->count], number);
        if (number == 0) return 0;
    }
    return number;
}

static inline struct known_stack *place_of(uint64_t hash)
{
    return &stacks[hash >> 50 & (__atomic_load_n(&stack_places, __ATOMIC_RELAXED) - 1)];
}

/* The hash of the stack that is kept there, and its node. */
static inline uint64_t stack_at(const struct known_stack *place, uint64_t *node)
{
    *node = __atomic_load_n(&place->node, __ATOMIC_RELAXED);
    return __atomic_load_n(&place->check, __ATOMIC_RELAXED) ^ *node * 0x9e3779b97f4a7c15u;
}

static inline uint32_t known_stack(uint64_t hash)
{
    uint64_t node;
    return LIKELY(stack_at(place_of(hash), &node) == hash) ? (uint32_t)node : 0;
}

/* A place in use, and not only left from when there were fewer, is a reason to have more. */
static struct known_stack *place_for(uint64_t hash)
{
    struct known_stack *place = place_of(hash);
    uint32_t places = __atomic_load_n(&stack_places, __ATOMIC_RELAXED);
    uint64_t node, other = stack_at(place, &node);
    if (places == MOST_STACKS || node == 0 || other == hash || place_of(other) != place) return place;
    __atomic_store_n(&stack_places, 2 * places, __ATOMIC_RELAXED);
    return place_of(hash);
}

static uint32_t keep_stack(uint64_t hash, uint64_t node)
{
    if (node == 0) return 0;
    struct known_stack *known = place_for(hash);
    __atomic_store_n(&known->node, node, __ATOMIC_RELAXED);
    __atomic_store_n(&known->check, hash ^ node * 0x9e3779b97f4a7c15u, __ATOMIC_RELAXED);
    return (uint32_t)node;
}

/* Apart from the others, which need no room for this. */
static __attribute__((noinline)) uint32_t stack_with_python(void *frame_of_wrapper)
{
    uintptr_t addresses[most_depth], ends[most_depth];
    struct python_frame frames[most_depth];
    struct machine_stack stack = {.addresses = addresses, .ends = ends};
    struct python_stack python = {.frames = frames};
    unwind(frame_of_wrapper, most_depth, &stack);
    // An interpreter that a signal interrupted may be changing its frames.
    if (!stack.is_interrupted) python.count = python_frames(frames, most_depth);
    uint64_t hash = stack.hash;
    for (unsigned i = 0; i < python.count; i++) hash = (hash ^ frames[i].identity) * 0xc2b2ae3d27d4eb4fu;
    uint32_t node = known_stack(hash);
    return node != 0 ? node : keep_stack(hash, innermost_joined_node(&stack, &python));
}

uint32_t stack_here(void *frame_of_wrapper, struct walk *walk)
{
    if (most_depth == 0 || !is_chosen()) return 0;
    if (python_is_known) return stack_with_python(frame_of_wrapper);
    uint64_t hash = unwind_again(frame_of_wrapper, most_depth, walk);
    uint32_t node = hash == 0 ? 0 : known_stack(hash);
    if (LIKELY(node != 0)) return node;
    uintptr_t addresses[most_depth];
    struct machine_stack stack = {.addresses = addresses};
    unwind(frame_of_wrapper, most_depth, &stack);
    if (hash == 0) hash = stack.hash;
    node = known_stack(hash);
    return node != 0 ? node : keep_stack(hash, innermost_node(&stack));
}
