/* FIX posix-small-reads example: the file is written while it is read, so that a buffer would be old */
#include <stdio.h>

int main(void)
{
    FILE *out = fopen("board", "w"), *in;
    fputs("aaaaaaaaaaaaaaaaaaaaaaaa", out);
    fflush(out);
    in = fopen("board", "r");
    setvbuf(in, NULL, _IONBF, 0);
    setvbuf(out, NULL, _IONBF, 0);
    rewind(out);
    for (int i = 0; i < 12; i++) {
        int c = fgetc(in); // HERE
        putchar(c);
        fputs("b", out);
        fputs("b", out);
    }
    fclose(in);
    return fclose(out);
}
