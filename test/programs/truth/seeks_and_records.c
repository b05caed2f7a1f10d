/* A header of 16 B in each of 1,200 blocks, found by lseek (cheap), and 3,000 results written one by one (dear). */
#include "workload.h"

static void prepare(void) { make_file(1200 * 512); }

static void workload(void) {
    static char results[3000][120];
    char header[16];
    int in = open(path, O_RDONLY), out = open("results", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 1200; i++) {
#if REPAIRED & 1
        check(pread(in, header, sizeof header, 512L * i) == sizeof header);
#else
        lseek(in, 512L * i, SEEK_SET); /* PLANTED L03 */
        check(read(in, header, sizeof header) == sizeof header);
#endif
        results[i][0] = header[0];
    }
#if REPAIRED & 2
    check(write(out, results, sizeof results) == sizeof results);
#else
    for (int i = 0; i < 3000; i++)
        check(write(out, results[i], sizeof results[i]) == sizeof results[i]); /* PLANTED P06 */
#endif
    close(in);
    close(out);
}
