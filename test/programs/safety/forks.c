/* Processes, made in every way there is. */
#include "calls.h"
#include <pty.h>
#include <sched.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/time.h>

extern char **environ;
static char self[4096];

static void *write_much(void *argument)
{
    (void)argument;
    put(20000);
    return NULL;
}

/* Forks, while threads hold whatever locks there are. */
static void beside_threads(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, write_much, NULL);
    for (int i = 0; i < 100; i++)
        if (fork() == 0) {
            put(10);
            _exit(0);
        }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    wait_all();
}

static volatile int forks_left = 40;
static volatile int is_child;

static void fork_here(int number)
{
    (void)number;
    int before = errno;
    if (forks_left > 0 && !is_child) {
        forks_left--;
        if (fork() == 0) {
            put(3);
            if (forks_left % 2 == 0)
                _exit(0);
            is_child = 1;
        }
    }
    errno = before;
}

/* Forks by a handler, whose child goes on where the signal came in between. */
static void in_handler(void)
{
    struct itimerval often = {{0, 700}, {0, 700}}, never = {{0, 0}, {0, 0}};
    signal(SIGALRM, fork_here);
    setitimer(ITIMER_REAL, &often, NULL);
    while (forks_left > 0 && !is_child)
        put(1);
    if (is_child) {
        put(20);
        _exit(0);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    wait_all();
}

/* Past what the C library does in a fork. */
static void raw(void)
{
    for (int i = 0; i < 20; i++) {
        put(2);
        if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0) {
            put(7);
            syscall(SYS_exit_group, 0);
        }
        if (_Fork() == 0) {
            put(5);
            _Exit(0);
        }
        wait_all();
    }
}

static void by_vfork(void)
{
    for (int i = 0; i < 20; i++) {
        pid_t child = vfork();
        if (child == 0) {
            execl(self, "forks", "leaf", "vfork", (char *)NULL);
            _exit(1);
        }
        wait_all();
        put(2);
        child = vfork();
        if (child == 0) {
            execl("/nowhere/at-all", "nothing", (char *)NULL);
            _exit(errno == ENOENT ? 0 : 1);
        }
        if (vfork() == 0)
            _exit(0);
        wait_all();
    }
    /* Nothing is called between vfork and the end. */
    if (vfork() == 0)
        _exit(0);
}

static void execute(int how)
{
    char *arguments[] = {"forks", "leaf", "listed", NULL};
    char set[] = "SET=yes";
    int count = 1;
    for (char **each = environ; *each != NULL; each++)
        count++;
    char **environment = calloc((size_t)count + 1, sizeof *environment);
    environment[0] = set;
    memcpy(environment + 1, environ, (size_t)(count - 1) * sizeof *environment);
    switch (how) {
    case 0: execl(self, "forks", "leaf", "l", (char *)NULL); break;
    case 1: execlp(self, "forks", "leaf", "lp", (char *)NULL); break;
    case 2: execle(self, "forks", "leaf", "le", (char *)NULL, environment); break;
    case 3: execv(self, arguments); break;
    case 4: execvp(self, arguments); break;
    case 5: execvpe(self, arguments, environment); break;
    case 6: execve(self, arguments, environment); break;
    case 7: fexecve(open(self, O_RDONLY | O_CLOEXEC), arguments, environment); break;
    case 8: execveat(AT_FDCWD, self, arguments, environment, 0); break;
    case 9: syscall(SYS_execve, self, arguments, environment); break;
    }
    _exit(100 + how);
}

static void every_exec(void)
{
    fflush(stdout);
    for (int how = 0; how < 10; how++) {
        put(1);
        if (fork() == 0) {
            put(1);
            execute(how);
        }
        wait_all();
    }
    char *arguments[] = {"nothing", NULL};
    const char *volatile no_address = (const char *)8;
    int failed = 0;
    failed += execv("/nowhere/at-all", arguments) == -1 && errno == ENOENT;
    failed += execvp("nowhere-at-all", arguments) == -1 && errno == ENOENT;
    failed += execv("/", arguments) == -1 && errno == EACCES;
    failed += execv(no_address, arguments) == -1 && errno == EFAULT;
    put(3);
    printf("%d failed as they should\n", failed);
}

static void by_spawn(void)
{
    char *arguments[] = {"forks", "leaf", "spawned", NULL};
    pid_t child;
    fflush(stdout);
    for (int i = 0; i < 5; i++) {
        put(1);
        if (posix_spawn(&child, self, NULL, NULL, arguments, environ) != 0)
            printf("not spawned\n");
        wait_all();
    }
    errno = 0;
    int result = posix_spawnp(&child, "nowhere-at-all", NULL, NULL, arguments, environ);
    printf("missing: %d\n", result == ENOENT);
    printf("system: %d\n", system("exit 3"));
}

static int stop_soon;

static int write_as_other(void *argument)
{
    (void)argument;
    for (int i = 0; i < 1000; i++)
        if (write(out, ".", 1) != 1)
            return 1;
    stop_soon = 1;
    return 0;
}

/* A process that shares the memory, and the variables of the thread that made it. */
static void sharing_memory(void)
{
    char *stack = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    put(10);
    clone(write_as_other, stack + (1 << 20), CLONE_VM | SIGCHLD, NULL);
    put(1000);
    wait_all();
    put(10);
    printf("its memory is ours: %d\n", stop_soon);
}

/* The parent ends inside of daemon(); the test waits for the pipe that is its standard output. */
static void as_daemon(void)
{
    put(5);
    if (daemon(1, 1) != 0)
        exit(92);
    put(6);
}

static void with_terminal(void)
{
    int terminal;
    char text[16];
    put(1);
    pid_t child = forkpty(&terminal, NULL, NULL, NULL);
    if (child == 0) {
        put(4);
        _exit(5);
    }
    while (read(terminal, text, sizeof text) > 0)
        continue;
    int status;
    waitpid(child, &status, 0);
    printf("ended with %d\n", WEXITSTATUS(status));
}

static void leaf(int count, char **arguments)
{
    const char *set = getenv("SET");
    out = open("out.txt", O_WRONLY | O_APPEND);
    for (int i = 0; i < 3; i++)
        if (write(out, "-", 1) != 1)
            exit(93);
    printf("leaf %d %s %s\n", count, arguments[2], set == NULL ? "" : set);
    exit(0);
}

int main(int count, char **arguments)
{
    static const struct what cases[] = {
        {"beside-threads", beside_threads}, {"in-handler", in_handler},         {"raw", raw},
        {"vfork", by_vfork},                {"exec", every_exec},               {"spawn", by_spawn},
        {"sharing", sharing_memory},        {"daemon", as_daemon},              {"terminal", with_terminal},
        {NULL, NULL},
    };
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (count < 2 || length < 0)
        return 91;
    if (strcmp(arguments[1], "leaf") == 0)
        leaf(count, arguments);
    return run_case(cases, arguments[1]);
}
