/* Looks every millisecond whether another process has made its result. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    struct stat status;
    unlink(path);
    pid_t child = fork();
    if (child == 0) {
        usleep(40000);
        close(open(path, O_WRONLY | O_CREAT, 0644));
        _exit(0);
    }
    while (stat(path, &status) != 0) usleep(1000);
    waitpid(child, NULL, 0);
}
