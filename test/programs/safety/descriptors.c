/* What programs with threads do to descriptors: to all of them, to the lowest, or to the number that the recorder has. */
#include "calls.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <threads.h>

static volatile int finished;

/* More than a chunk of the recording holds, several times. */
static void *write_much(void *argument)
{
    for (int i = 0; i < 12; i++)
        put(5000);
    __atomic_fetch_add(&finished, 1, __ATOMIC_RELAXED);
    return argument;
}

/* Everything is closed again and again, while another thread writes; its file is opened again under its own number. */
static void close_all(void)
{
    pthread_t thread;
    int mine = dup2(out, 900);
    put(10);
    for (int i = 3; i < 900; i++)
        close(i);
    out = mine;
    pthread_create(&thread, NULL, write_much, NULL);
    for (int round = 0; round < 300; round++) {
        syscall(SYS_close_range, 3, 899, 0);
        for (int i = 901; i < 1100; i++)
            if (close(i) == 0)
                printf("%d was open\n", i);
        char name[32];
        snprintf(name, sizeof name, "round%d.txt", round % 10);
        int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0644);
        if (fd != 3 || write(fd, "mine", 4) != 4)
            printf("%s is %d\n", name, fd);
        for (int i = 4; i < 20; i++)
            dup2(fd, i);
    }
    pthread_join(thread, NULL);
    closefrom(3);
    put(1);
    printf("its own descriptor is closed: %d\n", errno == EBADF);
}

/* Whoever closes 0 and opens a file gets 0, whatever other threads' recording needs. */
static void take_lowest(void)
{
    int wrong = 0;
    while (finished == 0) {
        close(0);
        wrong += open("/dev/null", O_RDONLY) != 0;
    }
    printf("%d wrong numbers\n", wrong);
}

static void lowest(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, write_much, NULL);
    take_lowest();
    pthread_join(thread, NULL);
}

/* The recording has begun before. */
static void lowest_later(void)
{
    put(20000);
    lowest();
}

static int write_as_c11(void *argument)
{
    write_much(argument);
    return 0;
}

static void lowest_c11(void)
{
    thrd_t thread;
    thrd_create(&thread, write_as_c11, NULL);
    take_lowest();
    thrd_join(thread, NULL);
}

/* The recorder writes before a signal to the process itself, which might end it. */
static void *write_often(void *argument)
{
    for (int i = 0; i < 4000; i++) {
        put(1);
        kill(getpid(), SIGURG);
    }
    __atomic_fetch_add(&finished, 1, __ATOMIC_RELAXED);
    return argument;
}

/* Copies go to any number that is free to the program: nothing but what it writes is in its file then. */
static void copies(void)
{
    pthread_t threads[6];
    int mine = open("mine.txt", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    for (int i = 0; i < 6; i++)
        pthread_create(&threads[i], NULL, write_often, NULL);
    for (int i = 0; finished < 6; i++) {
        int number = 1000 + i % 3;
        int copy = i % 8 != 0 ? dup2(mine, number) : (int)syscall(SYS_dup3, mine, number, 0);
        if (copy != number || close(number) != 0)
            printf("%d is %d\n", number, copy);
    }
    for (int i = 0; i < 6; i++)
        pthread_join(threads[i], NULL);
    struct stat status;
    printf("bytes in its file: %d\n", fstat(mine, &status) == 0 ? (int)status.st_size : -1);
}

/* What a child of vfork closes are its own descriptors; the memory is its parent's. */
static void closing_children(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, write_much, NULL);
    for (int i = 0; i < 90; i++)
        if (vfork() == 0) {
            if (i % 3 == 0)
                closefrom(3);
            else if (i % 3 == 1)
                syscall(SYS_close_range, 3, ~0u, 0);
            else
                dup2(1, 1000);
            execl("/bin/true", "true", (char *)NULL);
            _exit(92);
        }
    pthread_join(thread, NULL);
    wait_all();
}

static void *write_with_own(void *argument)
{
    int mine = open("own.txt", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (unshare(CLONE_FILES) != 0 || dup2(mine, 1000) != 1000)
        printf("no descriptors of its own\n");
    write_much(NULL);
    struct stat status;
    printf("bytes in its file: %d\n", fstat(1000, &status) == 0 ? (int)status.st_size : -1);
    return argument;
}

/* A thread whose descriptors are not those of the others. */
static void own_descriptors(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, write_with_own, NULL);
    write_much(NULL);
    pthread_join(thread, NULL);
}

/* Closing is allowed, asking what a descriptor leads to is deadly. */
static void closing_confined(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    pthread_t thread;
    pthread_create(&thread, NULL, write_much, NULL);
    pthread_join(thread, NULL);
    tell_made();
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        _exit(92);
    for (int i = 900; i < 1100; i++)
        close(i);
    closefrom(3);
    _exit(7);
}

int main(int count, char **arguments)
{
    static const struct what cases[] = {
        {"close-all", close_all},
        {"lowest", lowest},
        {"lowest-later", lowest_later},
        {"lowest-c11", lowest_c11},
        {"copies", copies},
        {"closing-children", closing_children},
        {"own-descriptors", own_descriptors},
        {"closing-confined", closing_confined},
        {NULL, NULL},
    };
    return run_case(cases, count > 1 ? arguments[1] : NULL);
}
