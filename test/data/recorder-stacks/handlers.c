/*
 * Stacks in signal handlers: of a signal that the program sends itself, of one that comes at any moment (also where a
 * function has not set its frame up yet), on an alternate stack, and of a fault.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

int checkpoint(void);

static volatile sig_atomic_t ticks;
static volatile double result;
static sigjmp_buf back;

static void on_signal(int signal)
{
    (void)signal;
    checkpoint();
}

static void on_tick(int signal)
{
    (void)signal;
    ticks++;
    checkpoint();
}

static void on_fault(int signal)
{
    (void)signal;
    checkpoint();
    siglongjmp(back, 1);
}

__attribute__((noinline)) static double leaf(double x)
{
    return x * 1.0000001 + 0.5;
}

__attribute__((noinline)) static double work(int rounds)
{
    volatile double room[16] = {1};
    for (int i = 0; i < rounds; i++)
        room[i % 16] = leaf(room[(i + 1) % 16]);
    return room[3];
}

__attribute__((noinline)) static int fault(volatile int *nowhere)
{
    return *nowhere + 1;
}

static void handle(int signal, void (*handler)(int), int flags)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(signal, &action, NULL);
}

int main(void)
{
    stack_t alternate = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
    sigaltstack(&alternate, NULL);
    handle(SIGUSR1, on_signal, 0);
    handle(SIGUSR2, on_signal, SA_ONSTACK);
    handle(SIGALRM, on_tick, SA_RESTART);
    handle(SIGSEGV, on_fault, SA_ONSTACK);
    for (int i = 0; i < 3; i++) {
        raise(SIGUSR1);
        raise(SIGUSR2);
    }
    struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &often, NULL);
    while (ticks < 200)
        result = work(1000);
    setitimer(ITIMER_REAL, &never, NULL);
    if (sigsetjmp(back, 1) == 0)
        return fault(NULL);
    return 0;
}
