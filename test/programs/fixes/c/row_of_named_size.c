/* FIX posix-small-writes repair: the number of rows is one of an enumeration */
#include <fcntl.h>
#include <unistd.h>

enum { ROWS = 40, COLUMNS = 6 };

static double table[ROWS][COLUMNS];

int main(void)
{
    int fd = open("table", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < ROWS; i++)
        table[i][i % COLUMNS] = i;
    for (int i = 0; i < ROWS; i++)
        if (write(fd, table[i], sizeof table[i]) != sizeof table[i]) // HERE
            return 1;
    return close(fd);
}
