/* Sums a mapped file of 16 MiB. */
#include "workload.h"
#include <sys/mman.h>

enum { BYTES = 16 << 20 };

static void prepare(void) { make_file(BYTES); }

static void workload(void) {
    long sum = 0;
    int fd = open(path, O_RDONLY);
    const char *bytes = (const char *)mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE, fd, 0);
    check(bytes != MAP_FAILED);
    for (size_t i = 0; i < BYTES; i += 64) sum += bytes[i];
    munmap((void *)bytes, BYTES);
    close(fd);
    check(sum != 1);
}
