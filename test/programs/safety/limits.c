/* Limits, closed descriptors, other users and folders: where a recorder may be in the way, or cannot get on. */
#include "calls.h"
#include <dirent.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* More than a chunk of the recording holds. */
enum { MUCH = 20000 };

static struct rlimit limit(int which, rlim_t value)
{
    struct rlimit before, now;
    getrlimit(which, &before);
    now = before;
    now.rlim_cur = value;
    setrlimit(which, &now);
    return before;
}

static void no_descriptors(void)
{
    put(10);
    struct rlimit before = limit(RLIMIT_NOFILE, 3);
    put(MUCH);
    printf("no more files: %d\n", open("other.txt", O_CREAT | O_WRONLY, 0644) == -1 && errno == EMFILE);
    setrlimit(RLIMIT_NOFILE, &before);
    put(10);
}

static volatile int exceeded;

static void count_exceeded(int number)
{
    exceeded += number == SIGXFSZ;
}

static void write_too_much(int fd)
{
    int refused = 0;
    for (int i = 0; i < 5000; i++)
        refused += write(fd, "x", 1) != 1;
    printf("%d of 5000 refused, %d signals\n", refused, exceeded);
}

/* What the recorder writes counts too, but must not be seen. */
static void file_size(void)
{
    int fd = open("large.txt", O_CREAT | O_WRONLY, 0644);
    signal(SIGXFSZ, count_exceeded);
    struct rlimit before = limit(RLIMIT_FSIZE, 4096);
    write_too_much(fd);
    signal(SIGXFSZ, SIG_DFL);
    char *path = "small.txt";
    for (int i = 0; i < 20; i++) {
        int other = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
        for (int written = 0; written < 1000; written++)
            if (write(other, "yz", 2) != 2)
                exit(92);
        close(other);
    }
    setrlimit(RLIMIT_FSIZE, &before);
    put(MUCH);
}

static void *write_some(void *argument)
{
    put(1000);
    return argument;
}

static void memory(void)
{
    struct rlimit before = limit(RLIMIT_AS, 0);
    pthread_t thread;
    put(MUCH);
    printf("no memory: %d\n", mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    printf("no thread: %d\n", pthread_create(&thread, NULL, write_some, NULL) != 0);
    setrlimit(RLIMIT_AS, &before);
    put(10);
}

/* A thread whose buffer there is no memory for. */
static pthread_barrier_t barrier;

static void *write_without_memory(void *argument)
{
    pthread_barrier_wait(&barrier);
    put(1000);
    pthread_barrier_wait(&barrier);
    return argument;
}

static void memory_of_threads(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, write_without_memory, NULL);
    put(1);
    struct rlimit before = limit(RLIMIT_AS, 0);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    setrlimit(RLIMIT_AS, &before);
    pthread_join(thread, NULL);
    put(1);
}

static void other_root(void)
{
    put(10);
    if (mkdir("jail", 0755) != 0 || chroot("jail") != 0 || chdir("/") != 0)
        exit(92);
    put(MUCH);
    int fd = open("/inside.txt", O_CREAT | O_WRONLY, 0644);
    printf("in the jail: %d\n", write(fd, "in", 2) == 2);
}

static void other_user(void)
{
    put(10);
    if (setresuid(65534, 65534, 65534) != 0)
        exit(92);
    put(MUCH);
    printf("user %d\n", (int)getuid());
}

/* The process may write into the folder, but its files are made for nobody. */
static void closed_files(void)
{
    umask(0777);
    if (getuid() == 0 && setresuid(65534, 65534, 65534) != 0)
        exit(92);
    put(MUCH);
    umask(022);
}

static void deleted_folder(void)
{
    const char *folder = getenv("IOLENS_RECORDING");
    put(MUCH);
    DIR *files = folder == NULL ? NULL : opendir(folder);
    for (struct dirent *each; files != NULL && (each = readdir(files)) != NULL;)
        unlinkat(dirfd(files), each->d_name, 0);
    if (files != NULL)
        closedir(files);
    if (folder != NULL && rmdir(folder) != 0)
        printf("not empty\n");
    put(MUCH);
}

/* Frees the room that the test has filled. */
static void full_disk(void)
{
    const char *folder = getenv("IOLENS_RECORDING");
    char ballast[4200];
    snprintf(ballast, sizeof ballast, "%s/ballast", folder == NULL ? "." : folder);
    put(5 * MUCH);
    unlink(ballast);
    put(MUCH);
}

static void strictly_confined(void)
{
    put(10);
    tell_made();
    fflush(stdout);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
        exit(92);
    put(10);
    syscall(SYS_exit, 6);
}

/* All but writing and ending is deadly; exit's own calls are told from it by their number only. */
static void confined_by_filter(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    put(10);
    tell_made();
    fflush(stdout);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    printf("probed: %d\n", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL) == -1 && errno == EFAULT);
    fflush(stdout);
    put(10);
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
        _exit(92);
    put(MUCH);
    _exit(8);
}

static void other_numbers(void)
{
    if (unshare(CLONE_NEWPID) != 0)
        exit(92);
    put(1);
    if (fork() == 0) {
        put(5);
        _exit(getpid() == 1 ? 0 : 1);
    }
    wait_all();
    put(1);
}

int main(int count, char **arguments)
{
    static const struct what cases[] = {
        {"no-descriptors", no_descriptors},
        {"file-size", file_size},
        {"memory", memory},
        {"memory-of-threads", memory_of_threads},
        {"other-root", other_root},
        {"other-user", other_user},
        {"closed-files", closed_files},
        {"deleted-folder", deleted_folder},
        {"full-disk", full_disk},
        {"strictly-confined", strictly_confined},
        {"confined-by-filter", confined_by_filter},
        {"other-numbers", other_numbers},
        {NULL, NULL},
    };
    return run_case(cases, count > 1 ? arguments[1] : NULL);
}
