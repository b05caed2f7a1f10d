/*
 * Where events and definitions are gathered: areas of the file itself that are mapped into memory, so that what was not yet
 * written survives whatever ends the process (docs/recording-format.md). Only where the file system keeps the room that it
 * has given. All of this is called with the lock of the definitions held.
 */
#ifndef IOLENS_LIVE_H
#define IOLENS_LIVE_H

#include "../recorder.h"

#define CHUNK_HEADER_BYTES 40
/* A chunk that is being filled. Longer ones would be written less often, but each process begins with two of them. */
#define SLOT_BYTES 16384
#define SLOT_PAYLOAD (SLOT_BYTES - CHUNK_HEADER_BYTES)

#define KIND_DEFINITIONS 1
#define KIND_EVENTS 2
#define KIND_LIVE 3

/* What stands in front of the payload of a chunk; that of an area means other things (docs/recording-format.md). */
struct chunk_header {
    uint32_t magic;
    uint32_t kind;
    uint32_t bytes;
    uint32_t sum;
    uint64_t base;
    uint32_t thread;
    uint32_t records;
    uint32_t lost;
    uint32_t number;
};
_Static_assert(sizeof(struct chunk_header) == CHUNK_HEADER_BYTES, "it has no gaps");

/* Puts the mark and the checksum, of that much payload and the rest of the header, into a header. */
void chunk_seal(struct chunk_header *header, const uint8_t *payload, uint32_t size);

/* Maps the slots of the definitions and of the first thread. `number`: of the chunk which that is in the file. */
bool live_begin(uint32_t number);
/* The same for some threads more. */
bool live_begin_threads(uint32_t number);
/* A slot for a buffer; NULL when there is none left. */
uint8_t *live_take_slot(void);
/* In a forked child, where areas are the parent's. `is_spoiled`: something may still write to the memory. */
void live_forget(bool is_spoiled);
/* From now on the memory is private, and keeps what stands in it. Returns how many chunks the file has less. */
uint32_t live_release(void);
/* What there is of the slot's events right after that, of which its thread has filled so much; of any other memory, all. */
uint64_t live_kept(const uint8_t *slot, uint64_t filled);

/* A slot with nothing in it. */
void live_empty(uint8_t *slot, uint32_t kind, uint32_t thread);
/* The definitions that wait for being written: up to `from` they are known. */
void live_definitions(const uint8_t *payload, uint32_t from, uint32_t bytes, uint32_t records);

/* Bytes of the payload and, above them, records. */
static inline void live_filled(uint8_t *slot, uint64_t filled)
{
    __atomic_store_n((uint64_t *)(void *)(slot + 8), filled, __ATOMIC_RELEASE);
}

/* What the times of its events count from. */
static inline void live_base(uint8_t *slot, uint64_t base)
{
    memcpy(slot + 16, &base, sizeof base);
}

#endif
