/* 5,000 lines of a text, each sought by its place, or taken from a copy that was read at once. */
#include "workload.h"

enum { LINES = 20000, LENGTH = 33 };

static void prepare(void) {
    FILE *out = fopen(path, "w");
    for (int i = 0; i < LINES; i++) fprintf(out, "line %08d of a text of words\n", i % 100);
    fclose(out);
}

static void workload(void) {
    unsigned long place = 12345;
    long sum = 0;
    FILE *in = fopen(path, "r");
#if REPAIRED
    const size_t size = (size_t)LINES * LENGTH;
    char *text = (char *)malloc(size);
    const size_t held = fread(text, 1, size, in);
    check(held > 0);
#endif
    for (int i = 0; i < 5000; i++) {
        char line[2 * LENGTH];
        place = place * 6364136223846793005UL + 1442695040888963407UL;
        const long offset = (long)((place >> 33) % LINES) * LENGTH;
#if REPAIRED
        memcpy(line, text + offset, LENGTH);
#else
        check(fseek(in, offset, SEEK_SET) == 0 && fgets(line, sizeof line, in) != NULL); /* PLANTED P11 */
#endif
        sum += line[0];
    }
#if REPAIRED
    free(text);
#endif
    fclose(in);
    check(sum != 1);
}
