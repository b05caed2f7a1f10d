/* FIX open-close-in-loop example: each open empties the file */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    for (int step = 30; step > 0; step--) {
        int fd = open("state", O_WRONLY | O_CREAT | O_TRUNC, 0644); // HERE
        dprintf(fd, "%.*s", step, "a text that is written in parts of all lengths");
        close(fd);
    }
    return 0;
}
