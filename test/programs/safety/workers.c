/*
 * Two workers that write and then wait until they are killed.
 *
 *   workers SIGNAL WRITES
 */
#include "calls.h"

static void work(long writes, int done)
{
    for (long i = 0; i < writes; i++)
        if (write(out, ".", 1) != 1)
            _exit(91);
    if (write(done, "ok", 2) != 2)
        _exit(92);
    for (;;)
        pause();
}

int main(int count, char **values)
{
    int ends[2], status;
    char told[2];
    pid_t workers[2];
    out = open("/dev/null", O_WRONLY);
    if (count != 3 || pipe(ends) != 0)
        return 90;
    for (int i = 0; i < 2; i++)
        if ((workers[i] = fork()) == 0)
            work(atol(values[2]), ends[1]);
    for (int i = 0; i < 2; i++)
        if (read(ends[0], told, sizeof told) != sizeof told)
            return 93;
    for (int i = 0; i < 2; i++) {
        kill(workers[i], atoi(values[1]));
        waitpid(workers[i], &status, 0);
    }
    return 0;
}
