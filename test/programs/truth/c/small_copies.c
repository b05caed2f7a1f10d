/* A file of 1 MiB, copied inside the kernel by 512 B, or at once. */
#define _GNU_SOURCE
#include "workload.h"
#include <sys/sendfile.h>

enum { ALL = 1 << 20 };

static void prepare(void) { make_file(ALL); }

static void workload(void) {
    int from = open(path, O_RDONLY), to = open("copy", O_WRONLY | O_CREAT | O_TRUNC, 0644);
#if REPAIRED
    size_t piece = ALL;
#else
    size_t piece = 512;
#endif
    for (size_t left = ALL; left > 0; left -= piece)
        check(sendfile(to, from, NULL, piece) == (ssize_t)piece); /* PLANTED L35 */
    close(from);
    close(to);
}
