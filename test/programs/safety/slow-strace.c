/*
 * strace as it is on a busy machine: before it joins a program it tries in a child what it may do, and that takes a while.
 * The child stands still meanwhile, and keeps what strace has open.
 */
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words)
{
    int joins = 0;
    for (int i = 1; i < count; i++) joins |= strcmp(words[i], "-p") == 0;
    if (joins) {
        pid_t tried = fork();
        if (tried == 0) {
            ptrace(PTRACE_TRACEME, 0, 0, 0);
            kill(getpid(), SIGSTOP);
            _exit(0);
        }
        usleep(400000);
        kill(tried, SIGKILL);
        waitpid(tried, NULL, 0);
    }
    execv(STRACE, words);
    return 1;
}
