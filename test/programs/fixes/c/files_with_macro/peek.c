#include <sys/stat.h>

#include "log.h"

void peek_into(const char *name) {
    struct stat status;
    if (stat(name, &status) == 0) printf("%ld\n", (long)status.st_size);
}
