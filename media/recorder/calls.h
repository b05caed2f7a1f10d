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
    /* The recorder itself is at work. */
    bool inside;
    /* An event is being added: a signal handler that comes in between may add none. */
    volatile bool committing;
    void *committing_frame;
};

extern __thread struct thread recorder_thread;

/* A thread ends: writes its events. */
void thread_end(void *buffer);
/* In the child of a fork. */
void recorder_forked(void);
/* Starts the recorder at the first call, if it is not; whether it records. */
bool recorder_start(void);
/* The process that the recorder's state belongs to. */
extern int recorder_process;

#endif
