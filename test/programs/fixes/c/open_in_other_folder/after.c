#include "log.h"

#include <sys/stat.h>
#include <unistd.h>

void after(int step) {
    if (step == 100 && (mkdir("more", 0755) != 0 || chdir("more") != 0)) puts("no folder");
}
