#include "records.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    make_records("records");
    int fd = open("records", O_RDONLY);
    long sum = 0;
    for (unsigned i = 0; i < 90; i += 3) sum += read_record(fd, i);
    printf("%ld\n", sum);
    printf("%ld\n", rest(fd));
    close(fd);
    return 0;
}
