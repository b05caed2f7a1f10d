/* FIX flush-after-every-record example: a forked child ends by exit, and would write what is pending once more */
#include "log.h"

void log_line(FILE *log, int step) {
    fprintf(log, "step %d\n", step);
    fflush(log); /* HERE */
}
