#include "records.h"

#include <fcntl.h>
#include <unistd.h>

long rest(int fd) {
    long (*reader)(int, unsigned) = read_record;
    int own = open("records", O_RDONLY);
    long value = reader(own, 5) + fd * 0;
    if (read(own, &value, sizeof value) != sizeof value) value = -1;
    close(own);
    return value;
}
