/* FIX posix-small-writes example: after a close in the loop the writes fail, which nobody asks */
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0)
        return 1;
    for (int i = 0; i < 90; i++) {
        write(fd, "record\n", 7); // HERE
        if (i == 50) {
            close(fd);
        }
    }
    close(fd);
    return 0;
}
