#include <sys/stat.h>

#include "log.h"

void tick(int step) {
    struct stat status;
    if (step % 40 == 0 && stat("run.log", &status) == 0) printf("%ld\n", (long)status.st_size);
}
