#include "log.h"

int main(void) {
    run_log = fopen("run.log", "w");
    if (run_log == NULL) return 1;
    for (int step = 0; step < 100; step++) {
        log_line(step);
        tick(step);
    }
    fclose(run_log);
    return 0;
}
