/* What the unwinder has to know of a processor and of Linux on it. Numbers of registers are those of DWARF. */
#ifndef IOLENS_MACHINE_H
#define IOLENS_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)

#define UNWINDS_TABLES 1
enum { REGISTER_FP = 6, REGISTER_SP = 7, REGISTER_RETURN = 16, REGISTER_PC = 16, EXPRESSION_BASE = 0x70 };

/* struct ucontext_t lies at the stack pointer when the handler has returned to the trampoline. */
enum { SIGNAL_FP = 120, SIGNAL_SP = 160, SIGNAL_PC = 168 };

/* `mov $15, %rax` (or %eax), `syscall`: what glibc, musl and others let a handler return to. */
static inline bool is_signal_trampoline(const uint8_t *code) {
    static const uint8_t wide[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05}, narrow[] = {0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05};
    return memcmp(code, wide, sizeof wide) == 0 || memcmp(code, narrow, sizeof narrow) == 0;
}

/* Whether the instruction in front of an address is a call: relative, or through a register or memory. */
static inline bool is_after_call(const uint8_t *code) {
    if (code[-5] == 0xe8) return true;
    for (int bytes = 2; bytes <= 7; bytes++)
        if (code[-bytes] == 0xff && (code[1 - bytes] & 0x38) == 0x10) return true;
    return false;
}

static inline uintptr_t plain_return_address(uintptr_t address) { return address; }

#elif defined(__aarch64__)

#define UNWINDS_TABLES 1
enum { REGISTER_FP = 29, REGISTER_SP = 31, REGISTER_RETURN = 30, REGISTER_PC = -1, EXPRESSION_BASE = 0x70 };

/* siginfo_t (128 bytes) and struct ucontext lie at the stack pointer when the handler has returned to the trampoline. */
enum { SIGNAL_FP = 544, SIGNAL_LR = 552, SIGNAL_SP = 560, SIGNAL_PC = 568 };

/* `mov x8, #139`, `svc #0`. The vDSO's own unwind table leads past the function that was interrupted. */
static inline bool is_signal_trampoline(const uint8_t *code) {
    static const uint8_t sigreturn[] = {0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4};
    return memcmp(code, sigreturn, sizeof sigreturn) == 0;
}

/* `bl`, `blr` or one of the authenticating forms of `blr`. */
static inline bool is_after_call(const uint8_t *code) {
    uint32_t word;
    memcpy(&word, code - 4, sizeof word);
    return word >> 26 == 0x25 || (word & 0xfffffc1f) == 0xd63f0000 || (word & 0xfefff800) == 0xd63f0800;
}

/* Without the authentication code (`xpaclri`, which older processors take for a no-operation). */
static inline uintptr_t plain_return_address(uintptr_t address) {
    register uintptr_t lr __asm__("x30") = address;
    __asm__("hint #7" : "+r"(lr));
    return lr;
}

#else
#define UNWINDS_TABLES 0
#endif

/* Bytes in front of and behind an address that the two questions above look at. */
enum { CODE_BEFORE = 8, CODE_BEHIND = 9 };

#endif
