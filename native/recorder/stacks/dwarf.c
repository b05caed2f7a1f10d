/*
 * The part of DWARF's unwind tables (`.eh_frame`, found by `.eh_frame_hdr`) that leads from a frame to its caller: where
 * the canonical frame address, the caller's frame pointer and the return address are. Other registers are passed over.
 *
 * Nothing of a table is trusted: each byte is looked at only within what the object's file backs, and what is unknown or
 * out of bounds ends in "no rule". (DWARF 5, section 6.4; Linux Standard Base, "Exception Frames".)
 */
#include "dwarf.h"
#include "dwarf-bytes.h"
#include "processor.h"

#if UNWINDS_TABLES

enum where { UNTOUCHED, UNDEFINED, IN_MEMORY, BY_EXPRESSION, ELSEWHERE };

struct saved {
    enum where where;
    int64_t offset;
    /* Of its place in memory. */
    struct bytes expression;
};

/* What holds at one instruction. */
struct row {
    uint64_t cfa_register;
    int64_t cfa_offset;
    /* The CFA's expression instead; its end is that of its bytes. */
    struct bytes expression;
    struct saved fp;
    struct saved ret;
};

struct common {
    struct bytes instructions;
    uint64_t code_alignment;
    int64_t data_alignment;
    uint8_t encoding;
    bool has_augmentation;
};

#define MOST_REMEMBERED 4

bool readable_segment(const struct image *image, uintptr_t address, uintptr_t *from, uintptr_t *to)
{
    for (unsigned i = 0; i < image->header_count; i++) {
        const ElfW(Phdr) *segment = &image->headers[i];
        uintptr_t start = image->bias + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_R) == 0 || address - start >= segment->p_filesz) continue;
        *from = start;
        *to = start + segment->p_filesz;
        return true;
    }
    return false;
}

static struct bytes bytes_from(const struct image *image, uintptr_t address)
{
    uintptr_t from, to = address;
    bool is_there = readable_segment(image, address, &from, &to);
    return (struct bytes){(const uint8_t *)address, (const uint8_t *)to, !is_there};
}

/* A pointer in one of the encodings DW_EH_PE_*: as it is, or relative to itself or to the table. */
static uintptr_t pointer(struct bytes *bytes, uint8_t encoding, uintptr_t table)
{
    uintptr_t own = (uintptr_t)bytes->at;
    uint64_t value = 0;
    switch (encoding & 0x0f) {
    case 0x00: value = fixed(bytes, sizeof(uintptr_t)); break;
    case 0x01: value = uleb(bytes); break;
    case 0x02: value = fixed(bytes, 2); break;
    case 0x03: value = fixed(bytes, 4); break;
    case 0x04: case 0x0c: value = fixed(bytes, 8); break;
    case 0x09: value = (uint64_t)sleb(bytes); break;
    case 0x0a: value = (uint64_t)(int16_t)fixed(bytes, 2); break;
    case 0x0b: value = (uint64_t)(int32_t)fixed(bytes, 4); break;
    default: bytes->is_damaged = true;
    }
    switch (encoding & 0xf0) {
    case 0x00: return (uintptr_t)value;
    case 0x10: return own + (uintptr_t)value;
    case 0x30: return table + (uintptr_t)value;
    default: bytes->is_damaged = true; return 0;
    }
}

/* The content of an entry of `.eh_frame` behind its length. */
static struct bytes entry_at(const struct image *image, uintptr_t address)
{
    struct bytes entry = bytes_from(image, address);
    uint64_t length = fixed(&entry, 4);
    if (length == 0xffffffff) length = fixed(&entry, 8);
    if (length == 0) entry.is_damaged = true;
    if (has(&entry, length)) entry.end = entry.at + length;
    return entry;
}

static bool read_augmentation(struct bytes *entry, const char *letters, struct common *common)
{
    if (letters[0] == 0) return true;
    if (letters[0] != 'z') return false;
    common->has_augmentation = true;
    struct bytes data = *entry;
    uint64_t length = uleb(entry);
    data.at = entry->at;
    skip(entry, length);
    for (const char *letter = letters + 1; *letter != 0; letter++) {
        if (*letter == 'R') common->encoding = (uint8_t)fixed(&data, 1);
        else if (*letter == 'L') fixed(&data, 1);
        else if (*letter == 'P') {
            uint8_t encoding = (uint8_t)fixed(&data, 1);
            pointer(&data, encoding & 0x0f, 0);
        } else if (*letter == 'S') return false; // A trampoline that processor.h does not know.
    }
    return !data.is_damaged;
}

static bool read_common(const struct image *image, uintptr_t address, struct common *common)
{
    struct bytes entry = entry_at(image, address);
    if (fixed(&entry, 4) != 0) return false;
    uint64_t version = fixed(&entry, 1);
    if (version != 1 && version != 3) return false;
    const char *letters = (const char *)entry.at;
    while (fixed(&entry, 1) != 0);
    common->code_alignment = uleb(&entry);
    common->data_alignment = sleb(&entry);
    uint64_t column = version == 1 ? fixed(&entry, 1) : uleb(&entry);
    if (entry.is_damaged || column != REGISTER_RETURN || !read_augmentation(&entry, letters, common)) return false;
    common->instructions = entry;
    return !entry.is_damaged;
}

/* Damaged numbers may be of any size: they wrap around. */
static int64_t scaled(uint64_t value, int64_t scale)
{
    return (int64_t)(value * (uint64_t)scale);
}

static struct saved *saved_in(struct row *row, uint64_t number)
{
    if (number == REGISTER_FP) return &row->fp;
    return number == REGISTER_RETURN ? &row->ret : NULL;
}

static void set(struct row *row, uint64_t number, enum where where, int64_t offset)
{
    struct saved *saved = saved_in(row, number);
    if (saved != NULL) *saved = (struct saved){.where = where, .offset = offset};
}

static void set_cfa(struct row *row, uint64_t number, int64_t offset)
{
    row->cfa_register = number;
    row->cfa_offset = offset;
    row->expression = (struct bytes){NULL, NULL, false};
}

static void set_expression(struct row *row, uint64_t number, struct bytes expression)
{
    struct saved *saved = saved_in(row, number);
    if (saved != NULL) *saved = (struct saved){.where = BY_EXPRESSION, .expression = expression};
}

static struct bytes block(struct bytes *bytes)
{
    uint64_t length = uleb(bytes);
    struct bytes inner = *bytes;
    skip(bytes, length);
    inner.end = bytes->at;
    return inner;
}

/* The state of going through an entry's instructions. */
struct run {
    const struct common *common;
    struct bytes code;
    struct row row;
    /* What the common entry's instructions led to, which "restore" goes back to. */
    const struct row *initial;
    struct row remembered[MOST_REMEMBERED];
    unsigned depth;
    uintptr_t location;
};

static void restore(struct run *run, uint64_t number)
{
    struct saved *saved = saved_in(&run->row, number);
    if (saved == NULL || run->initial == NULL) return;
    *saved = number == REGISTER_FP ? run->initial->fp : run->initial->ret;
}

static void remember_or_restore(struct run *run, bool is_remembered)
{
    if (is_remembered ? run->depth == MOST_REMEMBERED : run->depth == 0) run->code.is_damaged = true;
    else if (is_remembered) run->remembered[run->depth++] = run->row;
    else run->row = run->remembered[--run->depth];
}

/* Instructions whose first operand is a register. */
static void run_of_register(struct run *run, uint8_t operation)
{
    struct bytes *code = &run->code;
    int64_t scale = run->common->data_alignment;
    uint64_t number = uleb(code);
    switch (operation) {
    case 0x05: set(&run->row, number, IN_MEMORY, scaled(uleb(code), scale)); break;
    case 0x06: restore(run, number); break;
    case 0x07: set(&run->row, number, UNDEFINED, 0); break;
    case 0x08: set(&run->row, number, UNTOUCHED, 0); break;
    case 0x09: uleb(code); set(&run->row, number, ELSEWHERE, 0); break;
    case 0x0c: set_cfa(&run->row, number, (int64_t)uleb(code)); break;
    case 0x0d: set_cfa(&run->row, number, run->row.cfa_offset); break;
    case 0x10: set_expression(&run->row, number, block(code)); break;
    case 0x16: block(code); set(&run->row, number, ELSEWHERE, 0); break;
    case 0x11: set(&run->row, number, IN_MEMORY, scaled((uint64_t)sleb(code), scale)); break;
    case 0x12: set_cfa(&run->row, number, scaled((uint64_t)sleb(code), scale)); break;
    case 0x14: case 0x15: sleb(code); set(&run->row, number, ELSEWHERE, 0); break;
    case 0x2f: set(&run->row, number, IN_MEMORY, scaled(0 - uleb(code), scale)); break;
    default: code->is_damaged = true;
    }
}

static void run_extended(struct run *run, uint8_t operation)
{
    struct bytes *code = &run->code;
    uint64_t step = run->common->code_alignment;
    switch (operation) {
    case 0x00: case 0x2c: case 0x2d: break; // Nothing; how the return address is signed, which does not matter here.
    case 0x01: run->location = pointer(code, run->common->encoding, 0); break;
    case 0x02: run->location += fixed(code, 1) * step; break;
    case 0x03: run->location += fixed(code, 2) * step; break;
    case 0x04: run->location += fixed(code, 4) * step; break;
    case 0x0a: remember_or_restore(run, true); break;
    case 0x0b: remember_or_restore(run, false); break;
    case 0x0e: run->row.cfa_offset = (int64_t)uleb(code); break;
    case 0x0f: run->row.expression = block(code); break;
    case 0x13: run->row.cfa_offset = scaled((uint64_t)sleb(code), run->common->data_alignment); break;
    case 0x2e: uleb(code); break;
    default: run_of_register(run, operation);
    }
}

/* Goes through instructions up to those that hold from behind `address` on. */
static bool run_to(struct run *run, uintptr_t address)
{
    struct bytes *code = &run->code;
    while (!code->is_damaged && code->at < code->end) {
        uint8_t operation = (uint8_t)fixed(code, 1);
        switch (operation & 0xc0) {
        case 0x40: run->location += (operation & 0x3f) * run->common->code_alignment; break;
        case 0x80:
            set(&run->row, operation & 0x3f, IN_MEMORY, scaled(uleb(code), run->common->data_alignment));
            break;
        case 0xc0: restore(run, operation & 0x3f); break;
        default: run_extended(run, operation);
        }
        if (run->location > address) break;
    }
    return !code->is_damaged;
}

static bool cfa_rule(const struct row *row, uintptr_t address, struct frame_rule *rule)
{
    struct value value = {row->cfa_register == REGISTER_FP ? FROM_FP : FROM_SP, row->cfa_offset, false, 0};
    if (row->expression.at != NULL) {
        if (!evaluate_expression(row->expression, address, &value)) return false;
    } else if (row->cfa_register != REGISTER_FP && row->cfa_register != REGISTER_SP) return false;
    rule->cfa_offset = (int32_t)value.offset;
    rule->after_offset = (int16_t)value.after;
    if (value.base == FROM_FP) rule->flags |= RULE_CFA_BY_FP;
    if (value.is_read) rule->flags |= RULE_CFA_READ;
    return rule->cfa_offset == value.offset && rule->after_offset == value.after;
}

/* Functions that align their stack save the frame pointer where it then points to. */
static bool fp_rule(const struct saved *fp, uintptr_t address, struct frame_rule *rule)
{
    struct value place = {.offset = fp->offset};
    if (fp->where == ELSEWHERE) return false;
    if (fp->where == BY_EXPRESSION) {
        if (!evaluate_expression(fp->expression, address, &place) || place.base != FROM_FP || place.is_read) return false;
        rule->flags |= RULE_FP_BY_FP;
    }
    if (fp->where == IN_MEMORY || fp->where == BY_EXPRESSION) rule->flags |= RULE_FP_SAVED;
    rule->fp_offset = (int32_t)place.offset;
    return rule->fp_offset == place.offset;
}

static bool to_rule(const struct row *row, uintptr_t address, struct frame_rule *rule)
{
    if (row->ret.where == UNDEFINED) {
        rule->flags |= RULE_OUTERMOST;
        return true;
    }
    if (row->ret.where != IN_MEMORY && row->ret.where != UNTOUCHED) return false;
    if (!cfa_rule(row, address, rule) || !fp_rule(&row->fp, address, rule)) return false;
    if (row->ret.where == IN_MEMORY) rule->flags |= RULE_RETURN_SAVED;
    rule->return_offset = (int32_t)row->ret.offset;
    return rule->return_offset == row->ret.offset;
}

static bool entry_rule(const struct image *image, uintptr_t description, uintptr_t address, struct frame_rule *rule)
{
    struct bytes entry = entry_at(image, description);
    uintptr_t own = (uintptr_t)entry.at;
    uint64_t distance = fixed(&entry, 4);
    struct common common = {.encoding = 0};
    if (distance == 0 || entry.is_damaged || !read_common(image, own - distance, &common)) return false;
    uintptr_t start = pointer(&entry, common.encoding, 0);
    uintptr_t size = pointer(&entry, common.encoding & 0x0f, 0);
    if (common.has_augmentation) skip(&entry, uleb(&entry));
    if (entry.is_damaged || address - start >= size) return false;
    struct run run = {.common = &common, .code = common.instructions, .location = start};
    if (!run_to(&run, address)) return false;
    struct row initial = run.row;
    run.initial = &initial;
    run.code = entry;
    return run_to(&run, address) && to_rule(&run.row, address, rule);
}

/* The entry of the last function that begins at or in front of an address, by the sorted table; 0: none. */
static uintptr_t search(const struct image *image, uintptr_t table, uintptr_t address)
{
    struct bytes bytes = bytes_from(image, table);
    uint64_t version = fixed(&bytes, 1);
    uint8_t frames = (uint8_t)fixed(&bytes, 1), count = (uint8_t)fixed(&bytes, 1), entries = (uint8_t)fixed(&bytes, 1);
    if (version != 1 || entries != 0x3b || count == 0xff) return 0;
    pointer(&bytes, frames, table);
    uint64_t total = pointer(&bytes, count, table);
    if (bytes.is_damaged) return 0;
    uint64_t most = (uint64_t)(bytes.end - bytes.at) / 8;
    uint64_t low = 0, high = total < most ? total : most;
    int32_t pair[2];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        memcpy(pair, bytes.at + 8 * middle, sizeof pair);
        if (table + (uintptr_t)(intptr_t)pair[0] <= address) low = middle + 1;
        else high = middle;
    }
    if (low == 0) return 0;
    memcpy(pair, bytes.at + 8 * (low - 1), sizeof pair);
    return table + (uintptr_t)(intptr_t)pair[1];
}

bool table_rule(const struct image *image, uintptr_t address, struct frame_rule *rule)
{
    for (unsigned i = 0; i < image->header_count; i++) {
        if (image->headers[i].p_type != PT_GNU_EH_FRAME) continue;
        uintptr_t description = search(image, image->bias + image->headers[i].p_vaddr, address);
        struct frame_rule found = *rule;
        if (description == 0 || !entry_rule(image, description, address, &found)) return false;
        *rule = found;
        return true;
    }
    return false;
}

#endif
