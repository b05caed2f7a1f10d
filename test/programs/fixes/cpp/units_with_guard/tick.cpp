#include "log.h"

void tick(int step) {
    if (step == 50) std::cout << "half\n";
}

Guard::~Guard() {
    std::ifstream in("run.log", std::ios::ate);
    std::cout << in.tellg() << "\n";
}
