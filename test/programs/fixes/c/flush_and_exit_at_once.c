/* FIX flush-after-every-record example: another function ends the program by _exit */
#include <stdio.h>
#include <unistd.h>

static void finish(int step)
{
    if (step == 50)
        _exit(0);
}

int main(void)
{
    FILE *log = fopen("log", "w");
    for (int step = 0; step < 100; step++) {
        fprintf(log, "step %d\n", step);
        fflush(log); // HERE
        finish(step);
    }
    return fclose(log);
}
