/* FIX posix-small-writes example: sizeof names a part of the element: the others would be written too */
#include <fcntl.h>
#include <unistd.h>

struct cell {
    double value;
    int flags;
};

int main(void)
{
    struct cell cells[50] = {{0}};
    int fd = open("cells", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 50; i++)
        if (write(fd, &cells[i], sizeof(double)) != sizeof(double)) // HERE
            return 1;
    return close(fd);
}
