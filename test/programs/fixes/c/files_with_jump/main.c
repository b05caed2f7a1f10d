#include <unistd.h>

#include "log.h"

jmp_buf back;

int main(void) {
    FILE *log = fopen("run.log", "w");
    if (log == NULL) return 1;
    if (setjmp(back) != 0) _exit(2);
    for (int step = 0; step < 100; step++) {
        log_line(log, step);
        tick(step);
    }
    fclose(log);
    return 0;
}
