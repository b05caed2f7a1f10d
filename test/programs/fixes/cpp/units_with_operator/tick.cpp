#include "log.h"

void tick(int) {}

std::ostream &operator<<(std::ostream &out, const Mark &mark) {
    std::ifstream in("run.log", std::ios::ate);
    return out << mark.step << " " << in.tellg() << "\n";
}
