#include <unistd.h>

#include "log.h"

void tick(int step) {
    if (step == 60) _exit(3);
}
