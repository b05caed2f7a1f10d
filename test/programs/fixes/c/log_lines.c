/* FIX flush-after-every-record trade: a file of its own, written by known functions, closed at the end */
#include <math.h>
#include <stdio.h>

static void note(FILE *log, int step, double value)
{
    fprintf(log, "step %d: %.3f\n", step, value);
    fflush(log); // HERE
}

int main(void)
{
    FILE *log = fopen("run.log", "w");
    double x = 0.5;
    if (log == NULL)
        return 1;
    for (int step = 0; step < 900; step++) {
        x = 3.9 * x * (1 - x);
        note(log, step, x);
    }
    printf("%g\n", x);
    return fclose(log);
}
