/* FIX open-close-in-loop example: another function keeps the stream */
#include <stdio.h>

static FILE *kept;

static void keep(FILE *log) { kept = log; }

static void note(int step) {
    FILE *log = fopen("steps.log", "a"); /* HERE */
    if (log == NULL) return;
    fprintf(log, "step %d\n", step);
    keep(log);
    fclose(kept);
}

int main(void) {
    for (int step = 0; step < 100; step++) {
        note(step);
    }
    return 0;
}
