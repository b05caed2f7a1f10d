/* FIX flush-after-every-record example: a failed assertion ends the program, and the log says how far it came */
#include <assert.h>
#include <stdio.h>

static void check(int step)
{
    assert(step < 50);
}

int main(void)
{
    FILE *log = fopen("log", "w");
    for (int step = 0; step < 100; step++) {
        fprintf(log, "step %d\n", step);
        fflush(log); // HERE
        check(step);
    }
    return fclose(log);
}
