/* FIX posix-small-writes repair: elements that an unbuffered stream writes one by one */
#include <stdio.h>

static int save(FILE *out, const int *row, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (fwrite(&row[i], sizeof *row, 1, out) != 1) // HERE
            return -1;
    return 0;
}

int main(void)
{
    int row[300];
    FILE *out = fopen("rows", "wb");
    setvbuf(out, NULL, _IONBF, 0);
    for (int i = 0; i < 300; i++)
        row[i] = i * i;
    for (unsigned n = 0; n < 300; n += 50)
        printf("%d\n", save(out, row, n));
    return fclose(out);
}
