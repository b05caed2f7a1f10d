/* FIX posix-small-writes trade: one function opens, writes and closes, and asks all calls whether they failed */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int save(const char *name, int n)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0)
        return -1;
    for (int i = 0; i < n; i++) {
        char line[32];
        int length = snprintf(line, sizeof line, "record %d\n", i);
        if (write(fd, line, (size_t)length) != length) { // HERE
            close(fd);
            return -1;
        }
    }
    return close(fd);
}

int main(void)
{
    printf("%d %d\n", save("records", 9000), save("missing/records", 1));
    return 0;
}
