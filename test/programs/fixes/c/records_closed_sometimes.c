/* FIX posix-small-writes example: the file is closed only if a flag says so */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int save(int closing)
{
    int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0)
        return 1;
    for (int i = 0; i < 90; i++)
        if (write(fd, "record\n", 7) != 7) // HERE
            _exit(1);
    if (closing)
        close(fd);
    return 0;
}

int main(void)
{
    char line[16];
    save(0);
    FILE *in = fopen("records", "r");
    while (fgets(line, sizeof line, in) != NULL)
        fputs(line, stdout);
    return fclose(in);
}
