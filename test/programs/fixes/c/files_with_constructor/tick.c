#include "log.h"

void tick(int step) {
    if (step == 90) fputs("soon\n", stdout);
}
