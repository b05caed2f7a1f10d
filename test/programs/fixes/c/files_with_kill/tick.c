#include <signal.h>

#include "log.h"

void tick(int step) {
    if (step == 55) raise(SIGKILL);
}
