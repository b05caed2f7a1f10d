#include <signal.h>
#include <stdlib.h>

#include "log.h"

void tick(int step) {
    if (step == 60) {
        signal(SIGABRT, SIG_DFL);
        abort();
    }
}
