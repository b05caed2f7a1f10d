/* A state of 64 KiB that another process rewrites before each of 40 reads: each read is needed. */
#include "workload.h"

enum { STATE = 1 << 16 };

static char state[STATE];

static void prepare(void) { make_file(STATE); }

static void writer(int asked, int done) {
    char turn;
    int fd = open(path, O_WRONLY);
    while (read(asked, &turn, 1) == 1) {
        memset(state, turn, STATE);
        check(pwrite(fd, state, STATE, 0) == STATE);
        check(write(done, &turn, 1) == 1);
    }
    _exit(0);
}

static void workload(void) {
    int asked[2], done[2];
    check(pipe(asked) == 0 && pipe(done) == 0);
    pid_t child = fork();
    if (child == 0) {
        close(asked[1]);
        writer(asked[0], done[1]);
    }
    close(asked[0]);
    int fd = open(path, O_RDONLY);
    for (int i = 0; i < 40; i++) {
        char turn = (char)i;
        check(write(asked[1], &turn, 1) == 1 && read(done[0], &turn, 1) == 1);
        check(pread(fd, state, STATE, 0) == STATE && state[9] == (char)i);
    }
    close(fd);
    close(asked[1]);
    close(done[0]);
    close(done[1]);
    waitpid(child, NULL, 0);
}
