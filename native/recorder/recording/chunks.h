/* Buffers of the threads and the file that they are written to; only calls.c and process/process.c use this. */
#ifndef IOLENS_CHUNKS_H
#define IOLENS_CHUNKS_H

#include "live.h"
#include "tallies.h"
#include "../stacks/unwind.h"

/* Some thousand events: a chunk is written every few milliseconds by a program that does nothing but I/O. */
#define CHUNK_BYTES 65536
/* Events are not kept back longer than this (nanoseconds), as long as others follow. */
#define LONGEST_BUFFERED 250000000u

/* A chunk of events that is being filled. Buffers are never given back: those of threads that ended are used again. */
struct buffer {
    struct buffer *next;
    /* A thread has it. */
    int taken;
    uint32_t thread;
    uint32_t lost;
    /* Bytes that the payload may have; 0: the process has recorded nothing in this buffer. */
    uint32_t limit;
    /* Bytes of the payload so far and, above them, records: in one piece, because others look while events are added. */
    uint64_t filled;
    /* What `filled` was when another thread wrote it out (before the process ends or execs); 0: nothing was. */
    uint64_t written;
    /* What the times of the chunk count from. */
    uint64_t base;
    uint64_t last_end;
    uint32_t last_stack;
    struct walk walk;
    /* What its thread calls once the process has written all events that it may; NULL: nothing so far. */
    struct tallies *tallies;
    /* The chunk: a slot (live.h), or what follows. */
    uint8_t *bytes;
    uint8_t own[CHUNK_HEADER_BYTES + CHUNK_BYTES];
};

#define ONE_RECORD ((uint64_t)1 << 32)

static inline uint32_t buffer_used(uint64_t filled)
{
    return (uint32_t)filled;
}

static inline uint32_t buffer_records(uint64_t filled)
{
    return (uint32_t)(filled >> 32);
}

/* A buffer for this thread; NULL when there is no memory. */
struct buffer *buffer_take(void);
/* Writes what is in it and gives it back. */
void buffer_release(struct buffer *buffer);
/* Writes the definitions so far and the buffer's events, if there are any, and makes room. */
void buffer_write(struct buffer *buffer);
/* What the process does next: where it may end it is written how long it has run. */
enum next { GOES_ON, MAY_END, ENDS };
/* Writes all buffers of the process. */
void buffers_write_all(enum next next);
/* The process is about to have more threads than one. */
void buffers_before_thread(void);
/* Whether several threads of the process have recorded something. */
bool buffers_of_threads(void);
/* An event was lost for want of a buffer. */
void chunks_lost_one(void);
/*
 * In a forked child: what the parent had buffered is the parent's, and numbers begin anew. The thread keeps `own`;
 * `abandoned` is one that an interrupted function may still add to: it is never used nor written again.
 */
void chunks_forget(struct buffer *own, struct buffer *abandoned);
/* The process is about to end: nothing is kept back any more. */
extern bool recorder_ending;

#endif
