/*
 * Programs that the process executes. A call of these that succeeds never returns: so it is written before, and its failure
 * as an event of its own.
 */
#include "../recording/calls.h"
#include "../process/executed.h"
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <unistd.h>

/*
 * In front of the real call. The child of vfork has no recording of its own: it leaves its number for its parent, in whose
 * recording stands what it executes.
 */
static bool exec_begins(const char *path, bool in_path, char *const environment[])
{
    struct thread *thread = &recorder_thread;
    if (recorder_state != ACTIVE && !recorder_start()) return false;
    if (*recorder_memory == 0) recorder_forked();
    bool is_here = recorder_is_here(thread);
    if (is_here || !thread->is_shared) note_executed(path, in_path, environment);
    if (is_here) return true;
    if (!thread->is_shared) thread->vfork_child = kernel_process();
    return false;
}

/* The event of an exec by path; `result` is 0 before the real call. */
static void exec_event(struct function *function, const char *path)
{
    struct call call;
    if (!call_begin(&call, function)) return;
    call_unfinished(&call);
    put_text(&call, kernel_is_text(path) ? path : NULL);
    put_signed(&call, -1);
    put(&call, 0);
    call_commit(&call);
}

static int exec_failed(struct call *call, const char *path, int result)
{
    if (call_end(call)) {
        put_path(call, path, true);
        put_result(call, result);
        call_commit(call);
    }
    return result;
}

/*
 * The body of a function that executes what stands at `path`. `real_call` is made between the event of the attempt and that
 * of the failure.
 */
#define EXECUTE(name, path, in_path, environment, real_call)                                                           \
    do {                                                                                                               \
        struct call call;                                                                                              \
        if (exec_begins(path, in_path, environment)) {                                                                 \
            exec_event(&function_##name, path);                                                                        \
            recorder_flush_program();                                                                                  \
        }                                                                                                              \
        bool is_recorded = call_begin(&call, &function_##name);                                                        \
        int result = real_call;                                                                                        \
        return is_recorded ? exec_failed(&call, path, result) : result;                                                \
    } while (0)

FUNCTION(execve, LAYER_POSIX, "pr");
EXPORTED int execve(const char *path, char *const arguments[], char *const environment[])
{
    REAL(execve);
    EXECUTE(execve, path, false, environment, real(path, arguments, environment));
}

FUNCTION(execv, LAYER_POSIX, "pr");
EXPORTED int execv(const char *path, char *const arguments[])
{
    REAL(execv);
    EXECUTE(execv, path, false, environ, real(path, arguments));
}

FUNCTION(execvp, LAYER_POSIX, "pr");
EXPORTED int execvp(const char *name, char *const arguments[])
{
    REAL(execvp);
    EXECUTE(execvp, name, true, environ, real(name, arguments));
}

FUNCTION(execvpe, LAYER_POSIX, "pr");
EXPORTED int execvpe(const char *name, char *const arguments[], char *const environment[])
{
    REAL(execvpe);
    EXECUTE(execvpe, name, true, environment, real(name, arguments, environment));
}

/* Those with the arguments one by one are turned into those with a list; `first` and what follows, to the NULL. */
#define GATHER(first)                                                                                                  \
    va_list rest;                                                                                                      \
    size_t count = 1;                                                                                                  \
    va_start(rest, first);                                                                                             \
    for (const char *each = first; each != NULL; count++) each = va_arg(rest, const char *);                           \
    va_end(rest);                                                                                                      \
    char *arguments[count];                                                                                            \
    arguments[0] = (char *)first;                                                                                      \
    va_start(rest, first);                                                                                             \
    for (size_t i = 1; i < count; i++) arguments[i] = va_arg(rest, char *)

FUNCTION(execl, LAYER_POSIX, "pr");
EXPORTED int execl(const char *path, const char *first, ...)
{
    GATHER(first);
    va_end(rest);
    REAL(execv);
    EXECUTE(execl, path, false, environ, real(path, arguments));
}

FUNCTION(execlp, LAYER_POSIX, "pr");
EXPORTED int execlp(const char *name, const char *first, ...)
{
    GATHER(first);
    va_end(rest);
    REAL(execvp);
    EXECUTE(execlp, name, true, environ, real(name, arguments));
}

FUNCTION(execle, LAYER_POSIX, "pr");
EXPORTED int execle(const char *path, const char *first, ...)
{
    GATHER(first);
    char *const *environment = va_arg(rest, char *const *);
    va_end(rest);
    REAL(execve);
    EXECUTE(execle, path, false, environment, real(path, arguments, environment));
}

/* An open file is executed, or one in an open folder. */
#define EXECUTE_OPEN(name, put_arguments, real_call)                                                                   \
    do {                                                                                                               \
        struct call call;                                                                                              \
        if (exec_begins(NULL, false, NULL) && call_begin(&call, &function_##name)) {                                   \
            call_unfinished(&call);                                                                                    \
            put_arguments;                                                                                             \
            put_signed(&call, -1);                                                                                     \
            put(&call, 0);                                                                                             \
            call_commit(&call);                                                                                        \
        }                                                                                                              \
        recorder_flush_program();                                                                                      \
        bool is_recorded = call_begin(&call, &function_##name);                                                        \
        int result = real_call;                                                                                        \
        if (is_recorded && call_end(&call)) {                                                                          \
            put_arguments;                                                                                             \
            put_result(&call, result);                                                                                 \
            call_commit(&call);                                                                                        \
        }                                                                                                              \
        return result;                                                                                                 \
    } while (0)

FUNCTION(fexecve, LAYER_POSIX, "fr");
EXPORTED int fexecve(int fd, char *const arguments[], char *const environment[])
{
    REAL(fexecve);
    EXECUTE_OPEN(fexecve, put_signed(&call, fd), real(fd, arguments, environment));
}

FUNCTION(execveat, LAYER_POSIX, "dpr");
EXPORTED int execveat(int folder, const char *path, char *const arguments[], char *const environment[], int flags)
{
    REAL(execveat);
    EXECUTE_OPEN(execveat, (put_signed(&call, folder), put_text(&call, kernel_is_text(path) ? path : NULL)), real(folder, path, arguments, environment, flags));
}

/* ---- a new process for it ---- */

/* The result is an error's number; errno is not touched. */
static int spawned(struct call *call, const char *path, int result, const pid_t *process)
{
    if (call_end(call)) {
        put_text(call, result != EFAULT ? path : NULL);
        put_code(call, result);
        call_commit(call);
    }
    if (result == 0) recorder_made_process(*process);
    return result;
}

FUNCTION(posix_spawn, LAYER_POSIX, "pr");
EXPORTED int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                         const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
{
    REAL(posix_spawn);
    struct call call;
    pid_t child = 0;
    if (process == NULL) process = &child;
    note_executed(path, false, environment);
    if (!call_begin(&call, &function_posix_spawn)) return real(process, path, actions, attributes, arguments, environment);
    return spawned(&call, path, real(process, path, actions, attributes, arguments, environment), process);
}

FUNCTION(posix_spawnp, LAYER_POSIX, "pr");
EXPORTED int posix_spawnp(pid_t *process, const char *name, const posix_spawn_file_actions_t *actions,
                          const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
{
    REAL(posix_spawnp);
    struct call call;
    pid_t child = 0;
    if (process == NULL) process = &child;
    note_executed(name, true, environment);
    if (!call_begin(&call, &function_posix_spawnp)) return real(process, name, actions, attributes, arguments, environment);
    return spawned(&call, name, real(process, name, actions, attributes, arguments, environment), process);
}
