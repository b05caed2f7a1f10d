/* The first half of each of 1,000 blocks, found by lseek (cheap), and 3,000 results written one by one (dear). */
#include "workload.h"

static void prepare(void) { make_file(16 << 20); }

static void workload(void) {
    static char results[3000][120];
    char block[8192];
    int in = open(path, O_RDONLY), out = open("results", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 1000; i++) {
#if REPAIRED & 1
        check(pread(in, block, sizeof block, 16384L * i) == sizeof block);
#else
        lseek(in, 16384L * i, SEEK_SET); /* PLANTED L03 */
        check(read(in, block, sizeof block) == sizeof block);
#endif
        results[i][0] = block[0];
    }
#if REPAIRED & 2
    check(write(out, results, sizeof results) == sizeof results);
#else
    for (int i = 0; i < 3000; i++)
        check(write(out, results[i], sizeof results[i]) == sizeof results[i]); /* PLANTED P06 dearest */
#endif
    close(in);
    close(out);
}
