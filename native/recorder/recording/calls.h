/* What a thread is doing; calls.c and the functions that make processes use this. */
#ifndef IOLENS_CALLS_H
#define IOLENS_CALLS_H

#include "chunks.h"

struct thread {
    struct buffer *buffer;
    /* Layers above STDIO with a call under way: bit n is layer n. */
    unsigned under_way;
    /* Frame of the innermost of them. */
    void *under_way_frame;
    /* The process that called vfork and has perhaps not gone on; 0: none. */
    int vfork_parent;
    /* The process that it made, as far as that was seen. */
    int vfork_child;
    /* Another process uses this thread's memory and variables for good: each call asks which one it is. */
    bool is_shared;
    /* How many parts of the recorder that must not be recorded are at work: they call functions that may be the program's. */
    unsigned inside;
    /* An event is being added: a signal handler that comes in between may add none. */
    volatile bool committing;
    void *committing_frame;
    /* Events that were added. */
    uint32_t commits;
};

extern __thread struct thread recorder_thread;

/* Makes threads write their events when they end. */
void calls_begin(void);
/* The recorder took so many nanoseconds of the first thread's time, besides those of its calls. */
void calls_take(uint64_t nanoseconds);
/* How many in all, since the process began. */
uint64_t calls_taken(void);
/* In the child of a fork. */
void calls_forget(struct thread *thread);
/* A thread ends: writes its events. */
void thread_end(void *buffer);
/* Zero in the child of a fork that the recorder has not seen yet. */
extern volatile int *recorder_memory;
/* In what may be the child of a fork: if it is one that was not seen yet, everything begins anew. */
void recorder_forked(void);
/* In the parent: the event `fork`. */
void recorder_made_process(int process);
/* Whether this is the process that the recorder's memory belongs to, not a child of vfork. */
bool recorder_is_here(struct thread *thread);
/* Looks for the real functions of the C library, so that no signal handler has to. */
void functions_find(void);
/* Starts the recorder at the first call, if it is not; whether it records. */
bool recorder_start(void);
/* The process that the recorder's state belongs to. */
extern int recorder_process;

#endif
