/* FIX posix-small-reads example: the program looks into the buffer itself */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char record[32];
    long sum = argc;
    FILE *in = fopen(argv[0], "rb");
    if (in == NULL)
        exit(1);
    char buffer[64];
    setvbuf(in, buffer, _IOFBF, sizeof buffer);
    for (int i = 0; i < 200; i++) {
        if (fread(record, sizeof record, 1, in) != 1) // HERE
            exit(1);
        sum += record[i % 32] + buffer[0];
    }
    fclose(in);
    printf("%d\n", sum != 0);
    return 0;
}
