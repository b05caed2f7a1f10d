#include "rows.h"

#include <fcntl.h>
#include <unistd.h>

int main(void) {
    double row[64];
    for (int i = 0; i < 64; i++) row[i] = i * 0.5;
    int fd = open("rows", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    int status = fd < 0 ? 1 : 0;
    for (int i = 0; i < 5 && status == 0; i++) status = write_row(fd, row, 64) == 0 ? 0 : 2;
    close(fd);
    return status;
}
