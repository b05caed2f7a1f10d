#include <stdlib.h>

#include "log.h"

void tick(int step) {
    if (step == 50 && system("wc -l < run.log") != 0) exit(1);
}
