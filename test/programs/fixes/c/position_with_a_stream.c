/* FIX seek-before-every-access example: a stream is made of the descriptor and goes on behind the header */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char word[16] = "", kind = 0;
    int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (pwrite(fd, "xsome text", 10, 0) != 10)
        return 1;
    lseek(fd, 0, SEEK_SET); // HERE
    if (read(fd, &kind, 1) != 1)
        return 2;
    FILE *in = fdopen(fd, "r");
    if (fscanf(in, "%15s", word) != 1)
        return 3;
    printf("%c %s\n", kind, word);
    return fclose(in);
}
