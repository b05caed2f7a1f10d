/* FIX posix-small-writes example: each write to an event counter is a message of its own */
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

int main(void)
{
    uint64_t steps[10], sum = 0;
    int fd = eventfd(0, 0);
    for (int i = 0; i < 10; i++)
        steps[i] = i;
    for (int i = 0; i < 10; i++)
        if (write(fd, &steps[i], sizeof steps[i]) != sizeof steps[i]) // HERE
            return 1;
    if (read(fd, &sum, sizeof sum) != sizeof sum)
        return 1;
    printf("%lu\n", (unsigned long)sum);
    return close(fd);
}
