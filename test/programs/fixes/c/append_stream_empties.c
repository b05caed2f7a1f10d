/* FIX open-close-in-loop example: each open empties the file */
#include <stdio.h>

static void note(int step) {
    FILE *log = fopen("steps.log", "w"); /* HERE */
    if (log == NULL) return;
    fprintf(log, "step %d\n", step);
    fclose(log);
}

int main(void) {
    for (int step = 0; step < 100; step++) {
        note(step);
    }
    return 0;
}
