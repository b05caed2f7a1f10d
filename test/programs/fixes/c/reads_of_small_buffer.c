/* FIX posix-small-reads repair: a stream was given a buffer of 64 bytes, and reads a file that nobody writes */
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
        sum += record[i % 32];
    }
    fclose(in);
    printf("%d\n", sum != 0);
    return 0;
}
