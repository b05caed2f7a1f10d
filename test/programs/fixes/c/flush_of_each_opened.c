/* FIX flush-after-every-record example: the same function opens the file twice, and both streams live */
#include <stdio.h>

static FILE *opened(void)
{
    FILE *log = fopen("log", "a");
    fputs("opened\n", log);
    fflush(log); // HERE
    return log;
}

int main(void)
{
    FILE *first = opened(), *second = opened();
    for (int step = 0; step < 20; step++)
        fprintf(step % 2 ? first : second, "step %d\n", step);
    return fclose(second) + fclose(first);
}
