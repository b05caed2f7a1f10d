#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "log.h"

void tick(int step) {
    if (step != 30) return;
    if (fork() == 0) exit(0);
    wait(NULL);
}
