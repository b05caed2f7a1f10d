/* Unwind tables of the ELF objects in memory: from an address in code to how its function's caller is found. */
#ifndef IOLENS_DWARF_H
#define IOLENS_DWARF_H

#include "../recorder.h"
#include <link.h>

/*
 * How to get from a frame to its caller's. CFA is the canonical frame address: the stack pointer in the caller right
 * after the call. Offsets are in bytes.
 */
struct frame_rule {
    int32_t cfa_offset;   /* from the stack pointer or frame pointer */
    int32_t after_offset; /* RULE_CFA_READ: from what is read there */
    int32_t fp_offset;    /* RULE_FP_SAVED: from the CFA to where the caller's frame pointer is */
    int32_t return_offset; /* RULE_RETURN_SAVED: from the CFA to where the return address is */
    uint16_t module;      /* number of the module that the code belongs to, 0: none */
    uint16_t flags;
};

enum {
    RULE_CFA_BY_FP = 1,       /* else by the stack pointer */
    RULE_CFA_READ = 2,        /* the CFA is in memory (frames that align the stack) */
    RULE_FP_SAVED = 4,        /* else it is still in its register */
    RULE_RETURN_SAVED = 8,    /* else it is still in its register */
    RULE_OUTERMOST = 16,      /* there is no caller */
    RULE_SIGNAL = 32,         /* what the kernel lets handlers return to: the caller is what the signal interrupted */
    RULE_FRAME_POINTER = 64,  /* no table says anything: only the frame pointer is left */
    RULE_AFTER_CALL = 128,    /* the instruction in front of the address is a call */
    RULE_RECORDER = 256,      /* our own code */
    RULE_FP_BY_FP = 512,      /* RULE_FP_SAVED: `fp_offset` counts from the frame pointer (frames that align the stack) */
};

/* A loaded object, as dl_iterate_phdr shows it. */
struct image {
    uintptr_t bias;
    const ElfW(Phdr) * headers;
    unsigned header_count;
};

/* Finds the rule for an address of the image. False: there is none, or it is beyond what we read, or damaged. */
bool table_rule(const struct image *image, uintptr_t address, struct frame_rule *rule);

/* The bytes around an address that the image's file backs and that may be read. */
bool readable_segment(const struct image *image, uintptr_t address, uintptr_t *from, uintptr_t *to);

#endif
