/* Expressions in unwind tables (DWARF 5, section 2.5), as far as they are counted from the stack or frame pointer. */
#include "dwarf-bytes.h"
#include "processor.h"

#if UNWINDS_TABLES

static void add(struct value *value, uint64_t number)
{
    int64_t *sum = value->is_read ? &value->after : &value->offset;
    *sum = (int64_t)((uint64_t)*sum + number);
}

static bool combine(uint8_t operation, struct value *a, const struct value *b)
{
    if (b->base != NUMBER) return false;
    if (operation == 0x22) {
        add(a, (uint64_t)b->offset);
        return true;
    }
    if (a->base != NUMBER) return false;
    switch (operation) {
    case 0x1a: a->offset &= b->offset; return true;
    case 0x24: a->offset = b->offset < 0 || b->offset > 63 ? 0 : (int64_t)((uint64_t)a->offset << b->offset); return true;
    case 0x2a: a->offset = a->offset >= b->offset; return true;
    default: return false;
    }
}

bool evaluate_expression(struct bytes code, uintptr_t address, struct value *result)
{
    struct value stack[8];
    unsigned depth = 0;
    while (!code.is_damaged && code.at < code.end) {
        uint8_t operation = (uint8_t)fixed(&code, 1);
        if (operation == 0x06 || operation == 0x23) { // A word in memory; plus a constant.
            if (depth == 0) return false;
            struct value *top = &stack[depth - 1];
            if (operation == 0x23) {
                add(top, uleb(&code));
                continue;
            }
            if (top->base == NUMBER || top->is_read) return false;
            top->is_read = true;
        } else if (operation >= 0x30 && operation <= 0x4f) { // A literal.
            if (depth == 8) return false;
            stack[depth++] = (struct value){NUMBER, operation - 0x30, false, 0};
        } else if (operation >= 0x70 && operation <= 0x8f) { // A register and an offset.
            int number = operation - EXPRESSION_BASE;
            int64_t offset = sleb(&code);
            if (depth == 8 || (number != REGISTER_SP && number != REGISTER_FP && number != REGISTER_PC)) return false;
            if (number == REGISTER_PC) stack[depth++] = (struct value){NUMBER, (int64_t)(address + (uint64_t)offset), false, 0};
            else stack[depth++] = (struct value){number == REGISTER_SP ? FROM_SP : FROM_FP, offset, false, 0};
        } else {
            if (depth < 2 || !combine(operation, &stack[depth - 2], &stack[depth - 1])) return false;
            depth--;
        }
    }
    if (code.is_damaged || depth != 1 || stack[0].base == NUMBER) return false;
    *result = stack[0];
    return true;
}

#endif
