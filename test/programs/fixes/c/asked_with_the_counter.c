/* FIX repeated-questions example: what is returned is the turn that failed */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int first(const char *path, int turns)
{
    struct stat status;
    long sum = 0;
    for (int i = 1; i <= turns; i++) {
        if (stat(path, &status) != 0) // HERE
            return i;
        sum += status.st_size;
    }
    return (int)sum;
}

int main(void)
{
    FILE *out = fopen("table", "w");
    if (out == NULL || fclose(out) != 0)
        return 1;
    printf("%d %d\n", first("absent", 3), first("table", 3));
    return 0;
}
