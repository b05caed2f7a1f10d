/* Bytes of unwind tables, looked at within their bounds, and values of the expressions in them. */
#ifndef IOLENS_DWARF_BYTES_H
#define IOLENS_DWARF_BYTES_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of a table; once one is missing all further ones are 0. */
struct bytes {
    const uint8_t *at;
    const uint8_t *end;
    bool is_damaged;
};

static inline bool has(struct bytes *bytes, uint64_t count)
{
    if (!bytes->is_damaged && count <= (uint64_t)(bytes->end - bytes->at)) return true;
    bytes->is_damaged = true;
    return false;
}

static inline void skip(struct bytes *bytes, uint64_t count)
{
    if (has(bytes, count)) bytes->at += count;
}

static inline uint64_t fixed(struct bytes *bytes, unsigned size)
{
    uint64_t value = 0;
    if (!has(bytes, size)) return 0;
    for (unsigned i = 0; i < size; i++) value |= (uint64_t)bytes->at[i] << (8 * i);
    bytes->at += size;
    return value;
}

static inline uint64_t uleb(struct bytes *bytes)
{
    uint64_t value = 0;
    for (unsigned shift = 0; has(bytes, 1); shift += 7) {
        uint8_t byte = *bytes->at++;
        if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) break;
    }
    return value;
}

static inline int64_t sleb(struct bytes *bytes)
{
    uint64_t value = 0;
    for (unsigned shift = 0; has(bytes, 1);) {
        uint8_t byte = *bytes->at++;
        if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if ((byte & 0x80) != 0) continue;
        if (shift < 64 && (byte & 0x40) != 0) value |= ~(uint64_t)0 << shift;
        break;
    }
    return (int64_t)value;
}

/* A value of an expression: a number, or one counted from a register, or from what is in memory there. */
struct value {
    enum { NUMBER, FROM_SP, FROM_FP } base;
    int64_t offset;
    bool is_read;
    int64_t after;
};

/*
 * Expressions as compilers and linkers write them for the CFA: a word in memory near the frame pointer (functions that align
 * their stack), and the procedure linkage table's, which depends on the place in its entry.
 */
bool evaluate_expression(struct bytes code, uintptr_t address, struct value *result);

#endif
