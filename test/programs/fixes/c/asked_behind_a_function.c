/* FIX repeated-questions example: a function that the loop calls makes the file longer */
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

static void grow(void)
{
    FILE *out = fopen("table", "a");
    check(out != NULL);
    fputs("more\n", out);
    fclose(out);
}

int main(void)
{
    struct stat status;
    long sum = 0;
    grow();
    for (int i = 0; i < 30; i++) {
        check(stat("table", &status) == 0); // HERE
        sum += status.st_size;
        if (i % 10 == 0)
            grow();
    }
    printf("%ld\n", sum);
    return 0;
}
