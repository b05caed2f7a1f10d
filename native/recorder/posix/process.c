/*
 * Processes that the program makes, and how it ends. A child of fork records into a file of its own; one of vfork works in
 * its parent's memory and records nothing until it executes a program.
 */
#include "../recording/calls.h"
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

FUNCTION(fork, LAYER_RECORDER, "r");

void recorder_made_process(int process)
{
    struct call call;
    if (!call_mark(&call, &function_fork)) return;
    put_result(&call, process);
    call_commit(&call);
}

/* On both sides of a fork. */
static pid_t forked(pid_t process)
{
    if (process == 0) recorder_forked();
    if (process > 0) recorder_made_process(process);
    return process;
}

EXPORTED pid_t fork(void)
{
    REAL(fork);
    return forked(real());
}

/* Does not run what pthread_atfork asked for (glibc 2.34). */
pid_t _Fork(void);
FUNCTION(_Fork, LAYER_RECORDER, "");
EXPORTED pid_t _Fork(void)
{
    REAL(_Fork);
    return forked(real());
}

FUNCTION(forkpty, LAYER_RECORDER, "");
EXPORTED pid_t forkpty(int *fd, char *name, const struct termios *terminal, const struct winsize *size)
{
    REAL(forkpty);
    return forked(real(fd, name, terminal, size));
}

/* The parent ends inside of it. */
FUNCTION(daemon, LAYER_RECORDER, "");
EXPORTED int daemon(int keeps_folder, int keeps_streams)
{
    REAL(daemon);
    recorder_flush_now();
    int result = real(keeps_folder, keeps_streams);
    recorder_forked();
    return result;
}

/* ---- threads, and processes that share memory ---- */

FUNCTION(pthread_create, LAYER_RECORDER, "");
EXPORTED int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
    REAL(pthread_create);
    recorder_before_thread();
    return real(thread, attributes, function, argument);
}

/* That of C11, whose header older C libraries do not have; its types are those of the C libraries on Linux. */
int thrd_create(pthread_t *thread, int (*function)(void *), void *argument);
FUNCTION(thrd_create, LAYER_RECORDER, "");
EXPORTED int thrd_create(pthread_t *thread, int (*function)(void *), void *argument)
{
    REAL(thrd_create);
    recorder_before_thread();
    return real(thread, function, argument);
}

/* From now on the thread records only in the process that it is in now. */
static void share_thread(bool for_good)
{
    struct thread *thread = &recorder_thread;
    if (recorder_state != ACTIVE || !recorder_is_here(thread)) return;
    thread->vfork_parent = kernel_process();
    thread->is_shared = thread->is_shared || for_good;
}

FUNCTION(clone, LAYER_RECORDER, "");
EXPORTED int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
    va_list rest;
    va_start(rest, argument);
    pid_t *parent = va_arg(rest, pid_t *);
    void *variables = va_arg(rest, void *);
    pid_t *child = va_arg(rest, pid_t *);
    va_end(rest);
    REAL(clone);
    bool is_thread = (flags & CLONE_THREAD) != 0;
    if ((flags & CLONE_VM) != 0 && (flags & CLONE_SETTLS) == 0) share_thread((flags & CLONE_VFORK) == 0);
    int result = real(function, stack, flags, argument, parent, variables, child);
    if (result > 0 && !is_thread) recorder_made_process(result);
    return result;
}

/*
 * vfork returns twice on the same stack: a function around it would have returned, and its frame would be overwritten, when
 * the parent goes on. So this one only notes the parent and jumps to the real one, with the stack as it was.
 */
FUNCTION(vfork, LAYER_RECORDER, "");
__attribute__((used)) void *recorder_vfork_begins(void *caller);
void *recorder_vfork_begins(void *caller)
{
    share_thread(false);
    return LIKELY(function_vfork.real != NULL) ? function_vfork.real : real_function(&function_vfork, caller);
}

#if defined __x86_64__
__asm__(".text\n"
        ".globl vfork\n"
        ".type vfork, @function\n"
        "vfork:\n"
        ".cfi_startproc\n"
        "endbr64\n"
        "movq (%rsp), %rdi\n"
        "subq $8, %rsp\n"
        ".cfi_adjust_cfa_offset 8\n"
        "call recorder_vfork_begins\n"
        "addq $8, %rsp\n"
        ".cfi_adjust_cfa_offset -8\n"
        "jmp *%rax\n"
        ".cfi_endproc\n"
        ".size vfork, . - vfork\n");
#elif defined __aarch64__
__asm__(".text\n"
        ".globl vfork\n"
        ".type vfork, %function\n"
        "vfork:\n"
        ".cfi_startproc\n"
        "hint #34\n" /* bti c */
        "stp x29, x30, [sp, #-16]!\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset x29, -16\n"
        ".cfi_offset x30, -8\n"
        "mov x29, sp\n"
        "mov x0, x30\n"
        "bl recorder_vfork_begins\n"
        "ldp x29, x30, [sp], #16\n"
        ".cfi_restore x30\n"
        ".cfi_restore x29\n"
        ".cfi_def_cfa_offset 0\n"
        "mov x16, x0\n"
        "br x16\n"
        ".cfi_endproc\n"
        ".size vfork, . - vfork\n");
#endif

/* ---- the end ---- */

/* Functions after which the process has ended, without what exit does. What handlers still do is written at once. */
#define ENDING(name, ...)                                                                                              \
    FUNCTION(name, LAYER_RECORDER, "");                                                                                \
    EXPORTED void name(__VA_ARGS__)

ENDING(_exit, int status)
{
    REAL(_exit);
    recorder_flush_all();
    real(status);
    __builtin_unreachable();
}

ENDING(_Exit, int status)
{
    REAL(_Exit);
    recorder_flush_all();
    real(status);
    __builtin_unreachable();
}

ENDING(quick_exit, int status)
{
    REAL(quick_exit);
    recorder_flush_all();
    real(status);
    __builtin_unreachable();
}

ENDING(abort, void)
{
    REAL(abort);
    recorder_flush_all();
    real();
    __builtin_unreachable();
}

void __assert_fail(const char *condition, const char *file, unsigned line, const char *function) __attribute__((noreturn));
ENDING(__assert_fail, const char *condition, const char *file, unsigned line, const char *function)
{
    REAL(__assert_fail);
    recorder_flush_all();
    real(condition, file, line, function);
    __builtin_unreachable();
}

/* Whether the signal ends the process, as far as the program has not said otherwise. */
static bool ends(int number)
{
    static const int HARMLESS[] = {SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU};
    for (size_t i = 0; i < sizeof HARMLESS / sizeof *HARMLESS; i++)
        if (HARMLESS[i] == number) return false;
    struct sigaction action;
    return number == SIGKILL || (number > 0 && sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
}

FUNCTION(kill, LAYER_RECORDER, "");
EXPORTED int kill(pid_t process, int number)
{
    REAL(kill);
    int before = errno;
    if ((process <= 0 || process == recorder_process) && ends(number)) recorder_flush_signal(number);
    errno = before;
    return real(process, number);
}

FUNCTION(raise, LAYER_RECORDER, "");
EXPORTED int raise(int number)
{
    REAL(raise);
    int before = errno;
    if (ends(number)) recorder_flush_signal(number);
    errno = before;
    return real(number);
}
