#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static void look(void) {
    struct stat status;
    if (stat("run.log", &status) == 0) printf("%ld\n", (long)status.st_size);
}

__attribute__((constructor)) static void install(void) { atexit(look); }
