/* FIX flush-after-every-record example: another object of the type has the standard output */
#include <stdio.h>
#include <unistd.h>

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
    struct run file = {NULL, 0}, shown = {stdout, 0};
    file.log = fopen("run.log", "w");
    for (int i = 0; i < 25; i++) {
        advance(&file);
        advance(&shown);
        if (write(1, "--\n", 3) != 3)
            return 1;
    }
    return fclose(file.log);
}
