/* FIX open-close-in-loop trade: the stream appends, and a flush does what the close did */
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
        if (step % 50 == 0) {
            int lines = 0;
            FILE *in = fopen("steps.log", "r");
            for (int c = fgetc(in); c != EOF; c = fgetc(in)) lines += c == '\n';
            printf("%d\n", lines);
            fclose(in);
        }
    }
    return 0;
}
