/* FIX posix-small-writes example: the number of the row that failed is asked for */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int save(int fd, float (*table)[7], int from)
{
    for (int i = 2; i < 20; i++)
        if (write(fd, &table[from + i], sizeof table[from + i]) != (ssize_t)sizeof table[0]) // HERE
            return i > from;
    return 0;
}

static int save_all(int fd, float table[][7], int from)
{
    for (int i = 0; i < 20; i++)
        if (write(fd, &table[i + from], sizeof table[0]) == -1)
            return 1;
    return 0;
}

int main(void)
{
    float table[40][7];
    int fd = open("rows", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 280; i++)
        table[i / 7][i % 7] = i;
    printf("%d %d\n", save(fd, table, 3), save_all(fd, table, 20));
    return close(fd);
}
