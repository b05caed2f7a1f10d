/* FIX sync-after-every-write example: a folder is synchronised, so that the names in it are safe */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    for (int step = 0; step < 5; step++) {
        char name[32];
        snprintf(name, sizeof name, "part-%d", step);
        close(open(name, O_CREAT | O_WRONLY, 0644));
        int folder = open(".", O_RDONLY | O_DIRECTORY);
        if (fsync(folder) != 0) // HERE
            return 1;
        close(folder);
    }
    return 0;
}
