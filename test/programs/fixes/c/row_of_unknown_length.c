/* FIX posix-small-writes repair: the length may be nothing or less, and nobody asks for the result */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct part {
    int id;
    double mass;
};

static void put(int fd, const struct part *parts, int n)
{
    for (int k = 1; k <= n; k++)
        (void)!write(fd, &parts[k], sizeof parts[k]); // HERE
}

int main(void)
{
    int fd = open("parts", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    struct part *parts = calloc(40, sizeof *parts);
    for (int i = 0; i < 40; i++) {
        parts[i].id = i;
        parts[i].mass = i / 2.0;
    }
    for (int n = -3; n < 40; n++)
        put(fd, parts, n);
    free(parts);
    return close(fd);
}
