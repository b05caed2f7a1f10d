/* FIX posix-small-writes repair: a failure ends the row but not the steps, and an else belongs to another if */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    short done[64];
    int fd = open("rows", O_WRONLY | O_CREAT | O_TRUNC, 0644), steps = 0;
    for (int i = 0; i < 64; i++)
        done[i] = i;
    for (int step = 0; step < 30; step++) {
        if (step % 3 != 0)
            for (int i = 0; i < 64; i++)
                if (write(fd, &done[i], sizeof done[i]) != sizeof done[i]) // HERE
                    break;
        steps++;
    }
    printf("%d\n", steps);
    return close(fd);
}
