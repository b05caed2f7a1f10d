/* FIX posix-small-reads repair: a stream that was made unbuffered and reads a file that nobody writes */
#include <stdio.h>

int main(void)
{
    long sum = 0;
    int c;
    FILE *file = fopen("table", "w");
    for (int i = 0; i < 3000; i++)
        fprintf(file, "%d\n", i);
    fclose(file);
    file = fopen("table", "r");
    setvbuf(file, NULL, _IONBF, 0);
    while ((c = fgetc(file)) != EOF) // HERE
        sum = (sum * 31 + c) % 1000003;
    printf("%ld\n", sum);
    return fclose(file);
}
