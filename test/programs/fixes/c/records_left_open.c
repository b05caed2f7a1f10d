/* FIX posix-small-writes example: on one way out the file stays open, and is read behind it */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int save(int last)
{
    int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0)
        return 1;
    for (int i = 0; i < 90; i++) {
        if (write(fd, "record\n", 7) != 7) { // HERE
            close(fd);
            return 1;
        }
        if (i == last)
            return 2;
    }
    return close(fd);
}

int main(void)
{
    char line[16];
    printf("%d\n", save(5));
    FILE *in = fopen("records", "r");
    while (fgets(line, sizeof line, in) != NULL)
        fputs(line, stdout);
    return fclose(in);
}
