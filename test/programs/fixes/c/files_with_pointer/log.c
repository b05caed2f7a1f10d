/* FIX flush-after-every-record example: what is called by a pointer is not known */
#include "log.h"

void log_line(FILE *log, int step) {
    fprintf(log, "step %d\n", step);
    fflush(log); /* HERE */
}
