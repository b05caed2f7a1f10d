// 4,000 lines, flushed each by std::endl, or ended by '\n'.
#include "workload.h"
#include <fstream>

static void prepare(void) {}

static void workload(void) {
    std::ofstream out(path);
    for (int i = 0; i < 4000; i++) {
#if REPAIRED
        out << "step " << i << " energy " << i * 3 << '\n';
#else
        out << "step " << i << " energy " << i * 3 << std::endl; /* PLANTED L04 */
#endif
    }
}
