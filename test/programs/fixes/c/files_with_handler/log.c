/* FIX flush-after-every-record example: a signal handler of another source looks at the file */
#include "log.h"

void log_line(FILE *log, int step) {
    fprintf(log, "step %d\n", step);
    fflush(log); /* HERE */
}
