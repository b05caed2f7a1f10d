#include "tallies.h"

#define SLOTS 512u
/* Beyond these a search would take long. */
#define MOST_USED (SLOTS * 3 / 4)
/* Programs that call from ever new stacks must not write more by counts than by events: from then on stacks are left out. */
#define MOST_BATCHES 32
/* Powers of two of nanoseconds, and of bytes. */
#define POWERS 40
/* Nanoseconds until they are defined first; later it is an eighth of the time that is counted. */
#define FIRST_DUE 1000000000u

struct tally {
    /* Of the function; 0: the slot is free. */
    uint32_t number;
    uint32_t stack;
    /* Since it was defined; set by the thread behind what it counts, cleared before that is read. */
    uint32_t is_changed;
    uint64_t calls;
    uint64_t failed;
    uint64_t bytes;
    uint64_t nanoseconds;
    uint64_t longest;
    uint64_t times[POWERS];
    uint64_t sizes[POWERS];
};

struct tallies {
    struct tally slots[SLOTS];
    uint32_t used;
    uint32_t batch;
    uint64_t since;
    uint64_t due;
    /* End of the last call. */
    uint64_t until;
};

bool tallies_are_full(const struct tallies *tallies)
{
    return tallies != NULL && tallies->used >= MOST_USED;
}

bool tallies_are_due(const struct tallies *tallies, uint64_t now)
{
    return tallies != NULL && now > tallies->due;
}

static struct tally *find(struct tallies *tallies, uint32_t number, uint32_t stack)
{
    uint32_t at = (number * 0x9e3779b1u ^ stack * 0x85ebca6bu) >> 16 & (SLOTS - 1);
    for (;; at = (at + 1) & (SLOTS - 1)) {
        struct tally *tally = &tallies->slots[at];
        if (tally->number == number && tally->stack == stack) return tally;
        if (tally->number != 0) continue;
        tally->stack = stack;
        __atomic_store_n(&tally->number, number, __ATOMIC_RELEASE);
        tallies->used++;
        return tally;
    }
}

static unsigned power_of(uint64_t value)
{
    unsigned power = value == 0 ? 0 : 63u - (unsigned)__builtin_clzll(value);
    return power < POWERS ? power : POWERS - 1;
}

/* What the arguments say of a call. */
struct outcome {
    uint64_t bytes;
    bool moves_bytes;
    bool has_failed;
};

static uint64_t number_at(const uint8_t **at)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
}

static int64_t signed_of(uint64_t value)
{
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

/* The letters are those of docs/recording-format.md: the result tells the bytes where bytes were asked for. */
static struct outcome outcome_of(const struct call *call)
{
    struct outcome outcome = {0};
    bool asks = false, tells = false;
    const uint8_t *at = call->arguments;
    for (const char *role = call->function->roles; *role != 0 && at < call->at; role++) {
        uint64_t value = number_at(&at);
        int64_t result = signed_of(value);
        if (*role == 'e') number_at(&at);
        else if (*role == 'n') asks = true;
        else if (*role == 'b') {
            tells = true;
            outcome.bytes = value;
        } else if (*role == 'x') outcome.has_failed = call->function->layer == LAYER_HDF5 ? result < 0 : result != 0;
        else if (*role == 'r') {
            outcome.has_failed = result < 0;
            if (result < 0 && call->function->layer <= LAYER_STDIO) number_at(&at);
            if (asks && !tells && result > 0) outcome.bytes = (uint64_t)result;
        }
    }
    outcome.moves_bytes = asks || tells;
    return outcome;
}

bool tallies_add(struct tallies **given, const struct call *call, uint32_t number, uint32_t stack)
{
    struct tallies *tallies = *given;
    if (tallies == NULL) {
        tallies = kernel_memory(sizeof *tallies);
        if (tallies == NULL) return false;
        __atomic_store_n(given, tallies, __ATOMIC_RELEASE);
    }
    if (tallies->since == 0) {
        tallies->since = call->start;
        tallies->due = call->start + FIRST_DUE;
    }
    struct tally *tally = find(tallies, number, tallies->batch >= MOST_BATCHES ? 0 : stack);
    struct outcome outcome = outcome_of(call);
    uint64_t took = call->end - call->start;
    tally->calls++;
    tally->failed += outcome.has_failed;
    tally->nanoseconds += took;
    if (took > tally->longest) tally->longest = took;
    tally->times[power_of(took)]++;
    if (outcome.moves_bytes && !outcome.has_failed) {
        tally->bytes += outcome.bytes;
        tally->sizes[power_of(outcome.bytes)]++;
    }
    tallies->until = call->end;
    __atomic_store_n(&tally->is_changed, 1, __ATOMIC_RELEASE);
    return true;
}

static void define_powers(struct definition *definition, const uint64_t *counts)
{
    unsigned filled = 0;
    for (unsigned power = 0; power < POWERS; power++) filled += counts[power] != 0;
    define(definition, filled);
    for (unsigned power = 0; power < POWERS && filled > 0; power++) {
        if (counts[power] == 0) continue;
        define(definition, power);
        define(definition, counts[power]);
        filled--;
    }
    // Its thread counts meanwhile.
    for (; filled > 0; filled--) {
        define(definition, 0);
        define(definition, 0);
    }
}

/* Numbers take ten bytes at most. */
#define MOST_BYTES (10 * (11 + 4 * POWERS))

static bool define_tally(const struct tallies *tallies, const struct tally *tally, uint32_t thread)
{
    struct definition definition;
    if (!definition_begin(&definition, DEFINE_TALLY, MOST_BYTES)) return false;
    define(&definition, thread);
    define(&definition, tallies->batch);
    define(&definition, tally->number);
    define(&definition, tally->stack);
    define(&definition, tallies->until);
    define(&definition, tally->calls);
    define(&definition, tally->failed);
    define(&definition, tally->bytes);
    define(&definition, tally->nanoseconds);
    define(&definition, tally->longest);
    define_powers(&definition, tally->times);
    define_powers(&definition, tally->sizes);
    definition_end(&definition);
    return true;
}

uint64_t tallies_define(struct tallies *tallies, uint32_t thread)
{
    if (tallies == NULL) return 0;
    uint64_t waiting = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct tally *tally = &tallies->slots[i];
        if (__atomic_load_n(&tally->number, __ATOMIC_ACQUIRE) == 0) continue;
        if (__atomic_exchange_n(&tally->is_changed, 0, __ATOMIC_ACQUIRE) == 0) continue;
        if (define_tally(tallies, tally, thread)) continue;
        tally->is_changed = 1;
        waiting += tally->calls;
    }
    tallies->due = tallies->until + FIRST_DUE + (tallies->until - tallies->since) / 8;
    return waiting;
}

void tallies_empty(struct tallies *tallies)
{
    if (tallies == NULL || tallies->used == 0) return;
    memset(tallies->slots, 0, sizeof tallies->slots);
    tallies->used = 0;
    tallies->batch++;
}
