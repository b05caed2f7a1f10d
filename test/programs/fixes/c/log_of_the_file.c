/* FIX posix-small-writes trade: a stream of the whole file, opened once */
#include <stdio.h>
#include <stdlib.h>

static FILE *out;

static void start(const char *name)
{
    out = fopen(name, "w");
    if (out == NULL)
        exit(1);
}

static void record(int i)
{
    fputs("record ", out);
    fprintf(out, "%d\n", i);
    fflush(out); // HERE
}

int main(int argc, char **argv)
{
    start(argc > 1 ? argv[1] : "records");
    for (int i = 0; i < 3000; i++)
        record(i);
    fclose(out);
    return 0;
}
