/* FIX posix-small-writes example: several processes may append whole records to the file */
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    int fd = open("records", O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (fd < 0)
        return 1;
    for (int i = 0; i < 90; i++)
        if (write(fd, "record\n", 7) != 7) // HERE
            return 1;
    return close(fd);
}
