/* FIX open-close-in-loop example: the file is moved away in between */
#include <stdio.h>

static void note(int step) {
    FILE *log = fopen("steps.log", "a"); /* HERE */
    if (log == NULL) return;
    fprintf(log, "step %d\n", step);
    fclose(log);
}

int main(void) {
    for (int step = 0; step < 100; step++) {
        note(step);
        if (step == 50) rename("steps.log", "old.log");
    }
    return 0;
}
