/* Reads a page of each MiB through stdio: its seeks are the library's. */
#include "workload.h"

static void prepare(void) { make_file(32 << 20); }

static void workload(void) {
    char page[4096];
    long sum = 0;
    FILE *in = fopen(path, "rb");
    check(in != NULL);
    for (int i = 0; i < 32; i++) {
        check(compute(1) > 0);
        check(fseek(in, (long)i << 20, SEEK_SET) == 0);
        check(fread(page, sizeof page, 1, in) == 1);
        sum += page[i];
    }
    fclose(in);
    check(sum != 1);
}
