/* Signals at every moment, cancelled threads, and stacks of all kinds. */
#include "calls.h"
#include <semaphore.h>
#include <setjmp.h>
#include <sys/time.h>
#include <ucontext.h>

static void tick(int number)
{
    (void)number;
    int before = errno;
    put(1);
    errno = before;
}

static void every(int microseconds)
{
    struct itimerval often = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &often, NULL);
}

/* Handlers that do I/O, between and within other calls. */
static void timer(void)
{
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    every(150);
    put(100000);
    every(0);
}

static sigjmp_buf again;
static volatile int jumps;

static void jump(int number)
{
    (void)number;
    jumps++;
    siglongjmp(again, 1);
}

/* Handlers that never return. */
static void leaving_handlers(void)
{
    struct sigaction action = {.sa_handler = jump};
    sigaction(SIGALRM, &action, NULL);
    if (sigsetjmp(again, 1) == 0)
        every(200);
    while (jumps < 1000)
        put(1);
    every(0);
    put(100);
}

static void *signal_often(void *thread)
{
    for (int i = 0; i < 20000; i++)
        pthread_kill(*(pthread_t *)thread, SIGUSR1);
    return NULL;
}

/* The handlers' stack lies above that of the thread. */
static void *write_under_other_stack(void *memory)
{
    stack_t other = {.ss_sp = (char *)memory + (1 << 20), .ss_size = 1 << 16};
    sigaltstack(&other, NULL);
    pthread_t self = pthread_self(), sender;
    pthread_create(&sender, NULL, signal_often, &self);
    put(50000);
    pthread_join(sender, NULL);
    put(1);
    other.ss_flags = SS_DISABLE;
    sigaltstack(&other, NULL);
    return NULL;
}

static void other_stack(void)
{
    char *memory = mmap(NULL, 2 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_ONSTACK | SA_RESTART};
    pthread_attr_t attributes;
    pthread_t thread;
    sigaction(SIGUSR1, &action, NULL);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, memory, 1 << 20);
    pthread_create(&thread, &attributes, write_under_other_stack, memory);
    pthread_join(thread, NULL);
}

static int cleaned_up;

static void clean_up(void *argument)
{
    (void)argument;
    put(1);
    __atomic_fetch_add(&cleaned_up, 1, __ATOMIC_RELAXED);
}

static int pipe_ends[2];

static void *wait_for_input(void *argument)
{
    char byte;
    pthread_cleanup_push(clean_up, NULL);
    if (argument != NULL)
        pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    put(3);
    if (argument == NULL && read(pipe_ends[0], &byte, 1) > 0)
        return argument;
    for (;;)
        put(1);
    pthread_cleanup_pop(0);
    return NULL;
}

/* Threads that are cancelled in a call, at a call, and anywhere. */
static void cancelled(void)
{
    int ended = 0;
    if (pipe(pipe_ends) != 0)
        exit(92);
    for (int i = 0; i < 200; i++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, NULL, wait_for_input, i % 2 == 0 ? NULL : &ended);
        if (i % 4 != 0)
            usleep(200);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        ended += result == PTHREAD_CANCELED;
    }
    printf("%d cancelled\n", ended);
}

static void *write_little(void *argument)
{
    (void)argument;
    int fd = open("out.txt", O_WRONLY | O_APPEND);
    put(200);
    close(fd);
    return NULL;
}

static void with_stacks_of(size_t bytes, int count, void *(*body)(void *))
{
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], &attributes, body, NULL) != 0)
            exit(92);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static void small_stacks(void)
{
    with_stacks_of((size_t)PTHREAD_STACK_MIN, 50, write_little);
}

static pthread_barrier_t all_there;

static void *write_when_all_are_there(void *argument)
{
    put(10);
    pthread_barrier_wait(&all_there);
    put(10);
    return argument;
}

static void many_threads(void)
{
    pthread_barrier_init(&all_there, NULL, 1000);
    with_stacks_of(1 << 16, 1000, write_when_all_are_there);
}

static ucontext_t contexts[5];

static void one_of_four(int number)
{
    for (int i = 0; i < 1000; i++) {
        put(1);
        swapcontext(&contexts[number], &contexts[number % 4 + 1]);
    }
}

static void coroutines(void)
{
    for (int i = 1; i <= 4; i++) {
        getcontext(&contexts[i]);
        contexts[i].uc_stack.ss_sp = malloc(16384);
        contexts[i].uc_stack.ss_size = 16384;
        contexts[i].uc_link = &contexts[i == 4 ? 0 : i + 1];
        makecontext(&contexts[i], (void (*)(void))one_of_four, 1, i);
    }
    swapcontext(&contexts[0], &contexts[1]);
    put(1);
}

static pthread_key_t key;

/* Asks to be called again, until the last round. */
static void write_in_destructor(void *argument)
{
    put(3);
    pthread_setspecific(key, argument);
}

static void *write_at_end(void *argument)
{
    pthread_setspecific(key, &key);
    put(2);
    return argument;
}

static long resident_kilobytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%*d %ld", &pages) != 1)
        exit(92);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE) / 1024;
}

static void destructors(void)
{
    long before = resident_kilobytes();
    pthread_key_create(&key, write_in_destructor);
    for (int i = 0; i < 1000; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, write_at_end, NULL);
        pthread_join(thread, NULL);
    }
    printf("memory grew by less than 20 MB: %d\n", resident_kilobytes() - before < 20480);
}

int main(int count, char **arguments)
{
    static const struct what cases[] = {
        {"timer", timer},           {"leaving-handlers", leaving_handlers}, {"other-stack", other_stack},
        {"cancelled", cancelled},   {"small-stacks", small_stacks},         {"many-threads", many_threads},
        {"coroutines", coroutines}, {"destructors", destructors},           {NULL, NULL},
    };
    return run_case(cases, count > 1 ? arguments[1] : NULL);
}
