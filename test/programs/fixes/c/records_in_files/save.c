/* FIX posix-small-writes trade: the only other source calls it */
#include "save.h"

#include <fcntl.h>
#include <unistd.h>

int save(const char *name, int count) {
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) return -1;
    for (int i = 0; i < count; i++) {
        if (write(fd, &i, sizeof i) != sizeof i) { /* HERE */
            close(fd);
            return -1;
        }
    }
    return close(fd);
}
