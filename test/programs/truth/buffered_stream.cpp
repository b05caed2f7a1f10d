// 20,000 lines through a stream that is flushed when it is closed.
#include "workload.h"
#include <fstream>

static void prepare(void) {}

static void workload(void) {
    std::ofstream out(path);
    for (int i = 0; i < 20000; i++) out << "step " << i << " energy " << i * 3 << '\n';
}
