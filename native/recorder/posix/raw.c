/* Calls of the kernel that the program makes by the function `syscall`. */
#include "../process/confinement.h"
#include "../wrapper.h"
#include "requests.h"
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

#ifndef SYS_io_uring_enter
#define SYS_io_uring_enter 426
#endif

#ifdef SYS_dup2
#define SYS_DUP2 SYS_dup2
#else
/* Newer machines have dup3 only. */
#define SYS_DUP2 SYS_dup3
#endif

/* A call that is recorded as the function that makes it is. */
struct raw {
    long number;
    /* Which of the given values each role stands for, but for the result. */
    char places[8];
    struct function function;
};

#define RAW(number, recorded, roles, places) {number, places, {NULL, 0, LAYER_POSIX, roles, recorded, ""}}

static struct raw raws[] = {
    RAW(SYS_read, "read", "fnr", "02"),
    RAW(SYS_write, "write", "fnr", "02"),
    RAW(SYS_pread64, "pread", "fnor", "023"),
    RAW(SYS_pwrite64, "pwrite", "fnor", "023"),
    RAW(SYS_lseek, "lseek", "fowr", "012"),
#ifdef SYS_open
    RAW(SYS_open, "open", "plr", "01"),
#endif
    RAW(SYS_openat, "openat", "dplr", "012"),
    RAW(SYS_close, "close", "fr", "0"),
    RAW(SYS_fsync, "fsync", "fr", "0"),
    RAW(SYS_fdatasync, "fdatasync", "fr", "0"),
    RAW(SYS_ftruncate, "ftruncate", "fvr", "01"),
    RAW(SYS_getdents64, "getdents64", "fnr", "02"),
    RAW(SYS_io_uring_enter, "io_uring_enter", "fvr", "02"),
};

static struct raw *raw_of(long number)
{
    for (size_t i = 0; i < sizeof raws / sizeof *raws; i++)
        if (raws[i].number == number) return &raws[i];
    return NULL;
}

static void put_raw(struct call *call, const struct raw *raw, const long *given, long result)
{
    for (unsigned i = 0; raw->places[i] != 0; i++) {
        long value = given[raw->places[i] - '0'];
        switch (raw->function.roles[i]) {
        case 'p': put_path(call, (const char *)value, result < 0); break;
        case 'f':
        case 'd': put_signed(call, (int)value); break;
        case 'o':
        case 'v': put_signed(call, value); break;
        case 'n': put(call, (uint64_t)value); break;
        default: put(call, (unsigned)value);
        }
    }
    put_result(call, result);
}

static long recorded_raw(struct raw *raw, const long *given, void *frame)
{
    bool opens = raw->function.roles[0] == 'd' || raw->function.roles[0] == 'p';
    struct call call;
    if (raw->function.roles[0] != 'p') descriptor_described((int)given[0]);
    if (raw->number == SYS_close) descriptor_closed((int)given[0]);
    bool is_recorded = call_begin_from(&call, &raw->function, frame);
    long result = result_of_kernel(kernel_call(raw->number, given[0], given[1], given[2], given[3], given[4], given[5]));
    if (is_recorded && call_end(&call)) {
        if (opens) descriptor_opened((int)result);
        put_raw(&call, raw, given, result);
        call_commit(&call);
    }
    return result;
}

static long recorded_requests(const long *given, void *frame)
{
    struct call call;
    struct requests requests;
    bool is_recorded = requests_begin(&call, &requests, given[1], (struct iocb *const *)given[2], frame);
    long result = kernel_call(SYS_io_submit, given[0], given[1], given[2], 0, 0, 0);
    if (is_recorded) requests_end(&call, &requests, result);
    return result_of_kernel(result);
}

static long recorded_completions(const long *given, void *frame)
{
    struct call call;
    bool is_recorded = completions_begin(&call, frame);
    long result = kernel_call(SYS_io_getevents, given[0], given[1], given[2], given[3], given[4], 0);
    if (is_recorded) completions_end(&call, given[1], (const struct io_event *)given[3], result);
    return result_of_kernel(result);
}

/*
 * Libraries load filters by this one, and some programs end by it. It does without what it stands in front of: memory
 * allocators use it before anything else works.
 */
#if defined __x86_64__ || defined __aarch64__
EXPORTED long syscall(long number, ...)
{
    long given[6];
    va_list rest;
    va_start(rest, number);
    for (int i = 0; i < 6; i++) given[i] = va_arg(rest, long);
    va_end(rest);
    struct raw *raw = raw_of(number);
    bool is_part = number == SYS_io_uring_enter && is_in_library(__builtin_frame_address(0));
    if (raw != NULL && !is_part) return recorded_raw(raw, given, __builtin_frame_address(0));
    if (number == SYS_io_submit) return recorded_requests(given, __builtin_frame_address(0));
    if (number == SYS_io_getevents) return recorded_completions(given, __builtin_frame_address(0));
    bool is_confined = false;
    if (number == SYS_seccomp) is_confined = confines((unsigned long)given[0] + 1, (unsigned long)given[2]);
    if (number == SYS_prctl) is_confined = given[0] == PR_SET_SECCOMP && confines((unsigned long)given[1], (unsigned long)given[2]);
    if (is_confined) confinement_begins();
    if (number == SYS_exit_group) recorder_flush_all();
    if (number == SYS_dup3 || number == SYS_DUP2) recorder_before_copy((int)given[1]);
    if (number == SYS_execve || number == SYS_execveat) recorder_flush_program();
    if (number == SYS_landlock_restrict_self) recorder_flush_now();
    long result = kernel_call(number, given[0], given[1], given[2], given[3], given[4], given[5]);
    if (is_confined && result < 0) recorder_go_on();
    return result_of_kernel(result);
}
#endif
