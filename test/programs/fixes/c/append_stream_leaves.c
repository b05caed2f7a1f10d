/* FIX open-close-in-loop example: a step that is left out leaves the stream open, and its text waits */
#include <stdio.h>

static void note(int step) {
    FILE *log = fopen("steps.log", "a"); /* HERE */
    if (log == NULL) return;
    fprintf(log, "step %d\n", step);
    if (step % 10 == 3) return;
    fclose(log);
}

int main(void) {
    for (int step = 0; step < 100; step++) {
        note(step);
    }
    return 0;
}
