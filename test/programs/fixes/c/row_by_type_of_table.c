/* FIX posix-small-writes example: each row has more than the size that is written of it */
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    double *rows[12], table[12][3];
    int fd = open("rows", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 36; i++)
        table[i / 3][i % 3] = i;
    for (int i = 0; i < 12; i++)
        rows[i] = table[i];
    for (int i = 0; i < 12; i++)
        if (write(fd, &table[i], sizeof rows[i]) != sizeof(double *)) // HERE
            return 1;
    return close(fd);
}
