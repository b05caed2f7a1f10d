/* FIX open-close-in-loop trade: no source removes or closes it */
#include "log.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void append(const char *line) {
    int fd = open("steps.log", O_WRONLY | O_CREAT | O_APPEND, 0644); /* HERE */
    if (fd < 0) return;
    if (write(fd, line, strlen(line)) < 0) perror("steps.log");
    close(fd);
}
