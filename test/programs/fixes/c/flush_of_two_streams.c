/* FIX flush-after-every-record example: two streams append to one file, in turns */
#include <stdio.h>

static void note(FILE *log, const char *text)
{
    fputs(text, log);
    fflush(log); // HERE
}

int main(void)
{
    FILE *first = fopen("log", "a"), *second = fopen("./log", "a");
    for (int step = 0; step < 20; step++) {
        note(first, "first\n");
        note(second, "second\n");
    }
    return fclose(first) + fclose(second);
}
