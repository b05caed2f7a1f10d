/* FIX flush-after-every-record example: a child would have a copy of the buffer and write it again */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(void)
{
    if (fork() == 0)
        exit(0);
    wait(NULL);
}

int main(void)
{
    FILE *log = fopen("log", "w");
    for (int step = 0; step < 10; step++) {
        fprintf(log, "step %d\n", step);
        fflush(log); // HERE
        work();
    }
    return fclose(log);
}
