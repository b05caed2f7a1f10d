/* 800 lines added to a file whose stream is made for each, or once. */
#include "workload.h"
#include <fstream>

static void prepare(void) {}

static void workload(void) {
    unlink(path);
#if REPAIRED
    std::ofstream out(path, std::ios::app);
#endif
    for (int i = 0; i < 800; i++) {
#if !REPAIRED
        std::ofstream out(path, std::ios::app); /* PLANTED L02 */
#endif
        out << "step " << i << '\n';
    }
}
