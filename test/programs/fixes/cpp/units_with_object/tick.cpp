#include "log.h"

void tick(int step) {
    if (step == 50) std::cout << "half\n";
}
