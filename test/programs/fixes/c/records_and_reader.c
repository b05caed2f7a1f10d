/* FIX posix-small-writes example: another function reads the file while it is written */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int size_of(const char *name)
{
    int n = 0;
    FILE *in = fopen(name, "r");
    while (fgetc(in) != EOF)
        n++;
    fclose(in);
    return n;
}

int main(void)
{
    int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0)
        return 1;
    for (int i = 0; i < 90; i++) {
        if (write(fd, "record\n", 7) != 7) // HERE
            return 1;
        printf("%d\n", size_of("records"));
    }
    return close(fd);
}
