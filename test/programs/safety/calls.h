/* What the programs of the safety tests share: one-byte writes that are counted, over processes and threads. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int out;
/* Writes made by all processes; shared between them. */
static volatile long *made;

__attribute__((unused)) static void put(int count)
{
    for (int i = 0; i < count; i++)
        if (write(out, ".", 1) == 1)
            __atomic_fetch_add(made, 1, __ATOMIC_RELAXED);
}

__attribute__((unused)) static void begin(void)
{
    made = (volatile long *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    out = open("out.txt", O_CREAT | O_WRONLY | O_APPEND | O_TRUNC, 0644);
    if (out < 0 || made == MAP_FAILED)
        exit(90);
}

/* For the test, in a file that is no result of the program's. */
__attribute__((unused)) static void tell_made(void)
{
    FILE *file = fopen("made", "w");
    if (file == NULL)
        return;
    fprintf(file, "%ld\n", *made);
    fclose(file);
}

__attribute__((unused)) static void wait_all(void)
{
    int status;
    pid_t process;
    while ((process = wait(&status)) > 0 || (process < 0 && errno == EINTR))
        if (process > 0 && status != 0)
            printf("a child ended with %d\n", status);
}

struct what {
    const char *name;
    void (*run)(void);
};

/* The case that the first argument names. */
__attribute__((unused)) static int run_case(const struct what *cases, const char *name)
{
    for (; cases->name != NULL; cases++)
        if (name != NULL && strcmp(cases->name, name) == 0) {
            begin();
            cases->run();
            tell_made();
            printf("%s done\n", name);
            return 0;
        }
    return 91;
}
