/* FIX flush-after-every-record example: other processes may append to the same file: whole lines only with each flush */
#include <stdio.h>

int main(void)
{
    FILE *log = fopen("jobs.log", "a");
    for (int step = 0; step < 900; step++) {
        fprintf(log, "step %d\n", step);
        fflush(log); // HERE
    }
    return fclose(log);
}
