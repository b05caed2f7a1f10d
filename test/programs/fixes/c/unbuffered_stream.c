/* FIX posix-small-writes trade: nobody reads the file, and nobody asks */
#include <stdio.h>

int main(void) {
    FILE *out = fopen("out", "wb");
    if (out == NULL) return 1;
    setvbuf(out, NULL, _IONBF, 0);
    for (int i = 0; i < 1000; i++) putc('a' + i % 26, out); /* HERE */
    return fclose(out) == 0 ? 0 : 1;
}
