/* FIX flush-after-every-record example: a signal handler ends the program */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void stop(int number)
{
    _exit(number == SIGTERM ? 0 : 1);
}

int main(void)
{
    FILE *log = fopen("log", "w");
    signal(SIGTERM, stop);
    for (int step = 0; step < 100; step++) {
        fprintf(log, "step %d\n", step);
        fflush(log); // HERE
        if (step == 50)
            raise(SIGTERM);
    }
    return fclose(log);
}
