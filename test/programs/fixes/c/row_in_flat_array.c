/* FIX posix-small-writes repair: a row of a flat array, in a program that leaves by goto */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct field {
    size_t nx, ny;
    float *values;
};

static int save(const struct field *f, const char *name)
{
    int status = -1;
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0)
        return -1;
    for (size_t y = 0; y < f->ny; y++)
        for (size_t x = 1; x < f->nx - 1; x++)
            if (write(fd, &f->values[y * f->nx + x], sizeof(float)) < (ssize_t)sizeof(float)) // HERE
                goto out;
    status = 0;
out:
    close(fd);
    return status;
}

int main(void)
{
    struct field f = {12, 9, calloc(12 * 9, sizeof(float))};
    for (size_t i = 0; i < 12 * 9; i++)
        f.values[i] = (float)i;
    printf("%d\n", save(&f, "field"));
    free(f.values);
    return 0;
}
