/* FIX repeated-questions example: the name changes from turn to turn */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void check(int sound)
{
    if (!sound) {
        perror("table");
        exit(1);
    }
}

int main(void)
{
    struct stat status;
    char path[] = "part0";
    long sum = 0;
    for (int i = 0; i < 3; i++) {
        path[4] = (char)('0' + i);
        FILE *out = fopen(path, "w");
        check(out != NULL);
        for (int k = 0; k <= i; k++)
            fputc('x', out);
        fclose(out);
    }
    path[4] = '0';
    for (int i = 0; i < 3; i++) {
        check(stat(path, &status) == 0); // HERE
        sum = sum * 10 + status.st_size;
        path[4] = (char)('0' + (i + 1) % 3);
    }
    printf("%ld\n", sum);
    return 0;
}
