#include "log.h"

int main(void) {
    FILE *log = fopen("run.log", "w");
    if (log == NULL) return 1;
    for (int step = 0; step < 100; step++) {
        log_line(log, step);
        tick(step);
    }
    fclose(log);
    return 0;
}
