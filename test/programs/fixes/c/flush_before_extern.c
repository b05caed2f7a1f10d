/* FIX flush-after-every-record example: a function that is declared elsewhere reads the file */
#include <stdio.h>

extern int unlocked_lines(const char *name);

int main(void)
{
    FILE *log = fopen("log", "w");
    for (int step = 0; step < 10; step++) {
        fprintf(log, "step %d\n", step);
        fflush(log); // HERE
        printf("%d\n", unlocked_lines("log"));
    }
    return fclose(log);
}

int unlocked_lines(const char *name)
{
    char line[64];
    int lines = 0;
    FILE *in = fopen(name, "r");
    while (fgets(line, sizeof line, in) != NULL)
        lines++;
    fclose(in);
    return lines;
}
