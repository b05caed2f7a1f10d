/* Characters that compilers take from the buffers of streams themselves, and streams whose descriptor leads elsewhere. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    FILE *text = fopen("text", "w");
    for (int i = 0; i < 20000; i++) fprintf(text, "line %d\n", i);
    fclose(text);
    FILE *in = fopen("text", "r"), *out = fopen("copy", "w");
    for (int c; (c = getc_unlocked(in)) != EOF;) putc_unlocked(c, out);
    fclose(in);
    fclose(out);

    setvbuf(stdout, NULL, _IONBF, 0);
    printf("to the first\n");
    fflush(stdout);
    int fd = open("second", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(fd, STDOUT_FILENO);
    printf("to the second\n");
    fflush(stdout);
    close(STDOUT_FILENO);
    int third = open("third", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    printf("to the third one\n");
    fflush(stdout);
    return third == STDOUT_FILENO ? 0 : 1;
}
