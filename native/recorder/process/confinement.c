/*
 * Calls by which a program takes rights away from itself: what was recorded is written before. A filter of system calls
 * (seccomp) may end the process for any call that it does not expect, so nothing is recorded behind one.
 */
#include "../recorder.h"
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

#ifdef SYS_dup2
#define SYS_DUP2 SYS_dup2
#else
/* Newer machines have dup3 only. */
#define SYS_DUP2 SYS_dup3
#endif

static bool confines(unsigned long mode, unsigned long filter)
{
    // Without a filter it is a question whether the kernel knows of filters.
    return mode == SECCOMP_MODE_STRICT || (mode == SECCOMP_MODE_FILTER && filter != 0);
}

static void stop(void)
{
    if (recorder_state != ACTIVE) return;
    note("The program restricted its system calls (seccomp): what it did afterwards is not recorded.");
    recorder_stop();
}

static long result_of(long result)
{
    if (result >= 0 || result < -4095) return result;
    errno = (int)-result;
    return -1;
}

EXPORTED int prctl(int option, ...)
{
    unsigned long given[4];
    va_list rest;
    va_start(rest, option);
    for (int i = 0; i < 4; i++) given[i] = va_arg(rest, unsigned long);
    va_end(rest);
    bool is_confined = option == PR_SET_SECCOMP && confines(given[0], given[1]);
    if (is_confined) stop();
    long result = kernel_call(SYS_prctl, option, (long)given[0], (long)given[1], (long)given[2], (long)given[3], 0);
    if (is_confined && result < 0) recorder_go_on();
    return (int)result_of(result);
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
    bool is_confined = false;
    if (number == SYS_seccomp) is_confined = confines((unsigned long)given[0] + 1, (unsigned long)given[2]);
    if (number == SYS_prctl) is_confined = given[0] == PR_SET_SECCOMP && confines((unsigned long)given[1], (unsigned long)given[2]);
    if (is_confined) stop();
    if (number == SYS_exit_group) recorder_flush_all();
    if (number == SYS_dup3 || number == SYS_DUP2) recorder_before_copy((int)given[1]);
    if (number == SYS_execve || number == SYS_execveat) recorder_flush_program();
    if (number == SYS_landlock_restrict_self) recorder_flush_now();
    long result = kernel_call(number, given[0], given[1], given[2], given[3], given[4], given[5]);
    if (is_confined && result < 0) recorder_go_on();
    return result_of(result);
}
#endif

/* ---- other folders, other users: the recording's file may be out of reach afterwards ---- */

FUNCTION(chroot, LAYER_RECORDER, "");
EXPORTED int chroot(const char *path)
{
    REAL(chroot);
    recorder_flush_now();
    return real(path);
}

/* The file is given to the user that the process will be, if it may do that. */
#define CHANGES_USER(name, arguments, ...)                                                                             \
    FUNCTION(name, LAYER_RECORDER, "");                                                                                \
    EXPORTED int name(__VA_ARGS__)                                                                                     \
    {                                                                                                                  \
        REAL(name);                                                                                                    \
        recorder_flush_now();                                                                                          \
        if (user != (uid_t)-1) recorder_give_file(user);                                                               \
        return real arguments;                                                                                         \
    }

CHANGES_USER(setuid, (user), uid_t user)
CHANGES_USER(seteuid, (user), uid_t user)
CHANGES_USER(setreuid, (real_user, user), uid_t real_user, uid_t user)
CHANGES_USER(setresuid, (real_user, user, saved_user), uid_t real_user, uid_t user, uid_t saved_user)
