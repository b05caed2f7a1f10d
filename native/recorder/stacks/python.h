/*
 * Lines of Python programs. Calls from one Python function to another do not show in the machine's stack: the interpreter
 * keeps frames of its own, which are read here as they lie in memory.
 */
#ifndef IOLENS_PYTHON_H
#define IOLENS_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A frame of the interpreter, or the end of those that one call of its evaluation loop goes through: then `code` is 0, and
 * `place` an address within the machine's frame of that call.
 */
struct python_frame {
    uintptr_t code;
    uintptr_t place;
    /* Of what tells the code object and the instruction in it from others. */
    uint64_t identity;
};

/* Looks for an interpreter that is known here. Called once, when the program's libraries are loaded. */
void python_begin(void);

/* Whether there is one. */
extern bool python_is_known;

/* The frames of the calling thread, innermost first, at most `most`; 0: it runs no Python. */
unsigned python_frames(struct python_frame *frames, unsigned most);

/* What a frame is, with the numbers of texts: they are defined for it. */
struct python_line {
    uint32_t function;
    uint32_t file;
    /* From 1; 0: unknown. */
    uint32_t line;
};

/* False when what is there is no code after all. Must not be called with the lock of the definitions held. */
bool python_describe(const struct python_frame *frame, struct python_line *line);

#endif
