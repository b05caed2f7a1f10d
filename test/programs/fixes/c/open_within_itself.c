/* FIX open-close-in-loop example: the function calls itself while its file is open */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void show(int depth)
{
    char c = 0;
    int fd = open("data", O_RDONLY); // HERE
    for (int i = 0; i <= depth; i++)
        if (read(fd, &c, 1) != 1)
            break;
    if (depth < 5)
        show(depth + 1);
    if (read(fd, &c, 1) == 1)
        printf("%d %c\n", depth, c);
    close(fd);
}

int main(void)
{
    FILE *out = fopen("data", "w");
    fputs("some text to read", out);
    fclose(out);
    show(0);
    show(2);
    return 0;
}
