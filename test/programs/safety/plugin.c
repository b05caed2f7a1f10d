/* A library that does I/O when it is loaded, used and unloaded: five writes. */
#include <fcntl.h>
#include <unistd.h>

static int file;

__attribute__((constructor)) static void loaded(void)
{
    file = open("out.txt", O_WRONLY | O_APPEND);
    if (write(file, ".", 1) != 1)
        _exit(93);
}

int work(void)
{
    int written = 0;
    for (int i = 0; i < 3; i++)
        written += write(file, ".", 1) == 1;
    return written;
}

__attribute__((destructor)) static void unloaded(void)
{
    if (write(file, ".", 1) != 1)
        _exit(93);
    close(file);
}
