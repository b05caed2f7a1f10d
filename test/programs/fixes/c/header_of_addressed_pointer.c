/* FIX posix-redundant-writes example: the pointer is changed through its address */
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    char first[16] = "first", second[16] = "second", *header = first, **now = &header;
    int fd = open("header", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 30; i++) {
        *now = i % 2 == 0 ? second : first;
        if (pwrite(fd, header, 16, 0) != 16) // HERE
            return 1;
    }
    return close(fd);
}
