/* 400 questions of 16 B to another process, each of which needs its answer. */
#include "workload.h"
#include <sys/socket.h>

static void prepare(void) {}

static void workload(void) {
    char message[16] = "question";
    int ends[2];
    check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        while (read(ends[1], message, sizeof message) == sizeof message)
            check(write(ends[1], message, sizeof message) == sizeof message);
        _exit(0);
    }
    close(ends[1]);
    for (int i = 0; i < 400; i++) {
        check(write(ends[0], message, sizeof message) == sizeof message);
        check(read(ends[0], message, sizeof message) == sizeof message);
    }
    close(ends[0]);
    waitpid(child, NULL, 0);
}
