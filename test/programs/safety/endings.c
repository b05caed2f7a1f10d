/* All the ways in which a process ends, and what is done on the way. */
#include "calls.h"
#include <assert.h>
#include <sys/syscall.h>

static void write_at_exit(void)
{
    put(3);
    tell_made();
}

__attribute__((destructor)) static void write_in_destructor(void)
{
    if (made != NULL)
        put(2);
    if (made != NULL)
        tell_made();
}

static void handlers(void)
{
    atexit(write_at_exit);
    put(10);
}

static void *write_later(void *argument)
{
    usleep(20000);
    put(50);
    tell_made();
    return argument;
}

static void end_of_main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, write_later, NULL);
    put(10);
    pthread_exit(NULL);
}

static void quick(void)
{
    at_quick_exit(write_at_exit);
    put(10);
    quick_exit(7);
}

static void *write_for_ever(void *argument)
{
    for (;;)
        put(1);
    return argument;
}

/* Ends while other threads are at it: how much they write nobody knows. */
static void beside_threads(void)
{
    pthread_t thread;
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, NULL, write_for_ever, NULL);
    usleep(30000);
    _exit(5);
}

static void by_abort(void)
{
    put(10);
    tell_made();
    abort();
}

static void by_assertion(void)
{
    put(10);
    tell_made();
    assert(out < 0);
}

static void by_kill(void)
{
    put(10);
    tell_made();
    kill(getpid(), SIGKILL);
}

static void by_raise(void)
{
    put(10);
    tell_made();
    raise(SIGTERM);
}

static void by_system_call(void)
{
    put(10);
    tell_made();
    syscall(SYS_exit_group, 11);
}

static void write_and_end(int number)
{
    put(2);
    tell_made();
    _exit(100 + number);
}

/* The handler's stack is no larger than it must be. */
static void by_fault(void)
{
    static char memory[16384];
    stack_t other = {.ss_sp = memory, .ss_size = sizeof memory};
    struct sigaction action = {.sa_handler = write_and_end, .sa_flags = SA_ONSTACK};
    int *volatile nowhere = NULL;
    sigaltstack(&other, NULL);
    sigaction(SIGSEGV, &action, NULL);
    put(10);
    *nowhere = 1;
}

static void by_broken_pipe(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        exit(92);
    close(ends[0]);
    put(10);
    if (write(ends[1], "!", 1) != 1)
        exit(92);
}

int main(int count, char **arguments)
{
    static const struct what cases[] = {
        {"handlers", handlers},       {"end-of-main", end_of_main},       {"quick", quick},
        {"beside-threads", beside_threads}, {"abort", by_abort},          {"assertion", by_assertion},
        {"kill", by_kill},            {"raise", by_raise},                {"system-call", by_system_call},
        {"fault", by_fault},          {"broken-pipe", by_broken_pipe},    {NULL, NULL},
    };
    return run_case(cases, count > 1 ? arguments[1] : NULL);
}
