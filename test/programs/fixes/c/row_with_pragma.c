/* FIX posix-small-writes example: a pragma belongs to the loop */
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    int row[64] = {0}, fd = open("rows", O_WRONLY | O_CREAT | O_TRUNC, 0644);
#pragma GCC unroll 4
    for (int i = 0; i < 64; i++)
        if (write(fd, &row[i], sizeof row[i]) != sizeof row[i]) // HERE
            return 1;
    return close(fd);
}
