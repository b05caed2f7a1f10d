#include "log.h"

void tick(int step) {
    if (step == 20) PEEK();
}
