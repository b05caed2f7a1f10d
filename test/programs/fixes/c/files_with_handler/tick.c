#include <signal.h>
#include <sys/stat.h>

#include "log.h"

static void look(int number) {
    struct stat status;
    if (stat("run.log", &status) == 0) printf("%d: %ld\n", number, (long)status.st_size);
}

void tick(int step) {
    if (step == 0) signal(SIGUSR1, look);
    if (step == 40) raise(SIGUSR1);
}
