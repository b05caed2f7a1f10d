/* 3,000 numbers read through a stream without a buffer, or with its own. */
#include "workload.h"
#include <fstream>

static void prepare(void) { make_file(1 << 16); }

static void workload(void) {
    std::ifstream in;
#if !REPAIRED
    in.rdbuf()->pubsetbuf(nullptr, 0);
#endif
    in.open(path, std::ios::binary);
    long sum = 0;
    for (int i = 0; i < 3000; i++) {
        double number;
        in.read(reinterpret_cast<char *>(&number), sizeof number); /* PLANTED P05 */
        sum += number > 0;
    }
    check(sum >= 0);
}
