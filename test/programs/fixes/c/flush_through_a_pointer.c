/* FIX flush-after-every-record example: what is called through a pointer may read the file */
#include <stdio.h>

static void show(void)
{
    char line[64];
    FILE *in = fopen("log", "r");
    while (fgets(line, sizeof line, in) != NULL)
        fputs(line, stdout);
    fclose(in);
}

static void run(FILE *log, void (*report)(void))
{
    for (int step = 0; step < 10; step++) {
        fprintf(log, "step %d\n", step);
        fflush(log); // HERE
        report();
    }
}

int main(void)
{
    FILE *log = fopen("log", "w");
    run(log, show);
    return fclose(log);
}
