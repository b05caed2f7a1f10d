/* FIX flush-after-every-record example: what the loader runs reads the log at the end */
#include "log.h"

void log_line(FILE *log, int step) {
    fprintf(log, "step %d\n", step);
    fflush(log); /* HERE */
}
