#include "log.h"

static int look(int step) { return step; }

void more(int step);

void tick(int step) {
    more(step);
    if (step % 50 == 0) printf("%d\n", look(step));
}
