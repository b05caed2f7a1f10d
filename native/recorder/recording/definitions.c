#include "definitions.h"
#include "live.h"

/* Definitions are written before they reach this; while the disk is full they wait, and no more are taken. */
#define DEFINITION_BYTES (1u << 20)
#define DEFINITIONS_FULL_ENOUGH SLOT_PAYLOAD

struct definitions definitions;

bool definition_begin(struct definition *definition, enum definition_kind kind, size_t bytes)
{
    if (definitions.bytes == NULL) {
        definitions.bytes = kernel_memory(CHUNK_HEADER_BYTES + DEFINITION_BYTES + 8);
        if (definitions.bytes == NULL) return false;
    }
    if (definitions.used + bytes > DEFINITIONS_FULL_ENOUGH) definitions_write();
    if (definitions.used + bytes + 4 > DEFINITION_BYTES) return false;
    definition->start = definitions.bytes + CHUNK_HEADER_BYTES + definitions.used;
    // Kind, and the length in three bytes whatever it is: it is known only in the end.
    definition->start[0] = (uint8_t)kind;
    definition->at = definition->start + 4;
    return true;
}

void define(struct definition *definition, uint64_t value)
{
    definition->at = encode(definition->at, value);
}

void define_signed(struct definition *definition, int64_t value)
{
    define(definition, zigzag(value));
}

void define_text(struct definition *definition, const void *text, size_t bytes)
{
    define(definition, bytes);
    copy_bytes(definition->at, text, bytes);
    definition->at += bytes;
}

void definition_end(struct definition *definition)
{
    uint32_t length = (uint32_t)(definition->at - definition->start - 4);
    definition->start[1] = (uint8_t)(length | 0x80);
    definition->start[2] = (uint8_t)(length >> 7 | 0x80);
    definition->start[3] = (uint8_t)(length >> 14 & 0x7f);
    uint8_t *buffer = definitions.bytes + CHUNK_HEADER_BYTES;
    if (definitions.bytes == NULL || definition->start < buffer || definition->start >= buffer + DEFINITION_BYTES) return;
    uint32_t before = definitions.used;
    definitions.used += 4 + length;
    definitions.records++;
    live_definitions(buffer, before, definitions.used, definitions.records);
}
