/* FIX posix-small-writes example: each write is asked for */
#include <stdio.h>

int main(void) {
    FILE *out = fopen("out", "wb");
    if (out == NULL) return 1;
    setvbuf(out, NULL, _IONBF, 0);
    int written = 0;
    for (int i = 0; i < 1000; i++)
        if (putc('a' + i % 26, out) != EOF) written++; /* HERE */
    printf("%d\n", written);
    fclose(out);
    return 0;
}
