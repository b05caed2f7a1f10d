#include <math.h>

#include "log.h"

static int total(int step) { return step * (step + 1) / 2; }

void tick(int step) {
    if (step % 50 == 0) printf("%d\n", total(step));
}
