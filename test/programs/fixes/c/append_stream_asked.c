/* FIX open-close-in-loop example: whether the close failed is asked */
#include <stdio.h>

static void note(int step) {
    FILE *log = fopen("steps.log", "a"); /* HERE */
    if (log == NULL) return;
    fprintf(log, "step %d\n", step);
    if (fclose(log) != 0) perror("steps.log");
}

int main(void) {
    for (int step = 0; step < 100; step++) {
        note(step);
    }
    return 0;
}
