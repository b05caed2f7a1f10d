/* FIX posix-small-writes example: the loop runs over rows, so that the elements of a column lie apart */
#include <fcntl.h>
#include <unistd.h>

static double table[8][8];

int main(void)
{
    int fd = open("column", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 64; i++)
        table[i / 8][i % 8] = i;
    for (int i = 0; i < 8; i++)
        if (write(fd, &table[i][3], sizeof table[i][3]) != sizeof table[i][3]) // HERE
            return 1;
    return close(fd);
}
