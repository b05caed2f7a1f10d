/* FIX open-close-in-loop trade: another file is open all the while */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int table = open("table", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 50; i++) {
        int log = open("log", O_WRONLY | O_CREAT | O_APPEND, 0644); // HERE
        if (write(log, "line\n", 5) != 5)
            return 1;
        close(log);
        if (write(table, "row\n", 4) != 4)
            return 1;
    }
    close(table);
    return 0;
}
