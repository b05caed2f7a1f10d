#include "log.h"

int main() {
    std::ofstream log("run.log");
    for (int step = 0; step < 100; step++) {
        log_line(log, step);
        tick(step);
    }
    return 0;
}
