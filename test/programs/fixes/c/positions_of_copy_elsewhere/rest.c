#include "records.h"

#include <unistd.h>

long rest(int fd) {
    long value = 0;
    int other = dup(fd);
    if (read(other, &value, sizeof value) != sizeof value) value = -1;
    close(other);
    return value;
}
