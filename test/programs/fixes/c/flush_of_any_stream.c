/* FIX flush-after-every-record example: one of the callers gives the standard output, which others write too */
#include <stdio.h>
#include <unistd.h>

static void note(FILE *out, int step)
{
    fprintf(out, "step %d\n", step);
    fflush(out); // HERE
}

int main(void)
{
    FILE *log = fopen("log", "w");
    for (int step = 0; step < 10; step++) {
        note(log, step);
        note(stdout, step);
        if (write(STDOUT_FILENO, "--\n", 3) != 3)
            return 1;
    }
    return fclose(log);
}
