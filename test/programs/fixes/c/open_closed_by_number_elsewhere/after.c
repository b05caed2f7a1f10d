#include "log.h"

#include <unistd.h>

void after(int step) {
    if (step == 100)
        for (int fd = 3; fd < 20; fd++) close(fd);
}
