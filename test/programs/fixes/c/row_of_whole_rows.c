/* FIX posix-small-writes repair: the elements are rows of a table */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int save(int fd, float table[][7], int from)
{
    for (int i = 0; i < 20; i++)
        if (write(fd, &table[i + from], sizeof table[0]) == -1) // HERE
            return 1;
    return 0;
}

int main(void)
{
    float table[40][7];
    int fd = open("rows", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 280; i++)
        table[i / 7][i % 7] = i;
    printf("%d\n", save(fd, table, 20));
    return close(fd);
}
