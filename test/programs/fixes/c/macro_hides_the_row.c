/* FIX posix-small-writes example: a macro leads to another element in each turn */
#include <fcntl.h>
#include <unistd.h>

static int cells[100];
#define row (cells + shift)

int main(void)
{
    int fd = open("cells", O_WRONLY | O_CREAT | O_TRUNC, 0644), shift = 3;
    for (int i = 0; i < 100; i++)
        cells[i] = i;
    for (int i = 0; i < 9; i++)
        if (write(fd, &row[i], sizeof row[i]) != sizeof row[i]) // HERE
            return 1;
    return close(fd) + shift - 3;
}
