/* FIX flush-after-every-record trade: the stream is a member, which only one fopen is given to */
#include <stdio.h>
#include <stdlib.h>

struct run {
    FILE *log;
    int steps;
};

static void advance(struct run *r)
{
    r->steps++;
    fprintf(r->log, "step %d\n", r->steps);
    fflush(r->log); // HERE
}

int main(void)
{
    struct run *r = calloc(1, sizeof *r);
    r->log = fopen("run.log", "w");
    if (r->log == NULL)
        return 1;
    for (int i = 0; i < 2500; i++)
        advance(r);
    fclose(r->log);
    free(r);
    return 0;
}
