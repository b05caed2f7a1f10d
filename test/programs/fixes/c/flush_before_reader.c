/* FIX flush-after-every-record example: another function reads the file that the stream writes */
#include <stdio.h>

static long size_of(const char *name)
{
    long n = 0;
    FILE *in = fopen(name, "r");
    while (in != NULL && fgetc(in) != EOF)
        n++;
    if (in != NULL)
        fclose(in);
    return n;
}

static void note(FILE *log, int step)
{
    fprintf(log, "step %d\n", step);
    fflush(log); // HERE
}

int main(void)
{
    FILE *log = fopen("log", "w");
    for (int step = 0; step < 20; step++) {
        note(log, step);
        printf("%ld\n", size_of("log"));
    }
    return fclose(log);
}
