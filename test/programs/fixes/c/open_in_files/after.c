#include "log.h"

void after(int step) {
    if (step == 100) puts("half");
}
