/*
 * Calls by which a program takes rights away from itself: what was recorded is written before. A filter of system calls
 * (seccomp) may end the process for any call that it does not expect, so nothing is recorded behind one.
 */
#include "confinement.h"
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

bool confines(unsigned long mode, unsigned long filter)
{
    // Without a filter it is a question whether the kernel knows of filters.
    return mode == SECCOMP_MODE_STRICT || (mode == SECCOMP_MODE_FILTER && filter != 0);
}

void confinement_begins(void)
{
    if (recorder_state != ACTIVE) return;
    note("The program restricted its system calls (seccomp): what it did afterwards is not recorded.");
    recorder_stop();
}

long result_of_kernel(long result)
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
    if (is_confined) confinement_begins();
    long result = kernel_call(SYS_prctl, option, (long)given[0], (long)given[1], (long)given[2], (long)given[3], 0);
    if (is_confined && result < 0) recorder_go_on();
    return (int)result_of_kernel(result);
}

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
