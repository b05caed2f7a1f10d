/* FIX flush-after-every-record example: a loop without an end: the program ends only by a signal */
#include <signal.h>
#include <stdio.h>

int main(void)
{
    FILE *log = fopen("log", "w");
    for (int step = 0;; step++) {
        fprintf(log, "step %d\n", step);
        fflush(log); // HERE
        if (step == 100)
            raise(SIGTERM);
    }
}
