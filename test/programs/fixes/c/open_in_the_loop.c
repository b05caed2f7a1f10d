/* FIX open-close-in-loop trade: opened in the loop's body, and always written from the start */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define STATE "state"

int main(void)
{
    for (int step = 0; step < 30; step++) {
        int fd = open(STATE, O_WRONLY | O_CREAT, 0644); // HERE
        if (fd == -1) {
            perror(STATE);
            return 1;
        }
        dprintf(fd, "%06d", step * 7919);
        close(fd);
    }
    return rename(STATE, "state.done");
}
