#include <sys/stat.h>

#include "log.h"

static void look(void) {
    struct stat status;
    if (stat("run.log", &status) == 0) printf("%ld\n", (long)status.st_size);
}

static void (*const hooks[])(void) = {look};

void tick(int step) {
    if (step % 50 == 0) hooks[0]();
}
