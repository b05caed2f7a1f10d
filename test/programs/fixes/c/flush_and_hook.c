/* FIX flush-after-every-record example: a pointer has the name of a function of the library, and reads the file */
#include <stdio.h>

static void show(void)
{
    char line[32];
    FILE *in = fopen("other", "r");
    if (in == NULL)
        in = fopen("log", "r");
    while (fgets(line, sizeof line, in) != NULL)
        fputs(line, stdout);
    fclose(in);
}

static void run(FILE *log, void (*clock)(void))
{
    for (int step = 0; step < 5; step++) {
        fprintf(log, "step %d\n", step);
        fflush(log); // HERE
        clock();
    }
}

int main(void)
{
    FILE *log = fopen("log", "w");
    run(log, show);
    return fclose(log);
}
