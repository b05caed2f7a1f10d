#include <setjmp.h>

#include "log.h"

void tick(int step) {
    if (step == 33) longjmp(back, 1);
}
