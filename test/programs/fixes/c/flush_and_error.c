/* FIX flush-after-every-record example: the program asks the stream for errors after each record */
#include <stdio.h>

int main(void)
{
    FILE *log = fopen("log", "w");
    for (int step = 0; step < 1000; step++) {
        fprintf(log, "step %d\n", step);
        fflush(log); // HERE
        if (ferror(log))
            return 1;
    }
    puts("all are written");
    fclose(log);
    return 0;
}
