/* Records read through a buffer of 64 B that the program brought, or through stdio's own. */
#include "workload.h"

static void prepare(void) { make_file(1 << 17); }

static void workload(void) {
    char record[32];
    FILE *in = fopen(path, "rb");
    check(in != NULL);
#if !REPAIRED
    char buffer[64];
    setvbuf(in, buffer, _IOFBF, sizeof buffer);
#endif
    for (int i = 0; i < 4096; i++)
        check(fread(record, sizeof record, 1, in) == 1); /* PLANTED P05 */
    fclose(in);
}
