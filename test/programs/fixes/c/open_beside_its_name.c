/* FIX open-close-in-loop example: two variables of one name, each closed by it */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    for (int i = 0; i < 50; i++) {
        int fd = open("log", O_WRONLY | O_CREAT | O_APPEND, 0644); // HERE
        if (write(fd, "line\n", 5) != 5)
            return 1;
        close(fd);
    }
    for (int i = 0; i < 5; i++) {
        int fd = open("other", O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (write(fd, "line\n", 5) != 5)
            return 1;
        close(fd);
    }
    return 0;
}
