#include "log.h"

#include <stdexcept>

void tick(int step) {
    if (step == 50) throw std::runtime_error("half");
}
