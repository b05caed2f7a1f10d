/* FIX flush-after-every-record example: another source starts a child that reads the log */
#include "log.h"

void log_line(FILE *log, int step) {
    fprintf(log, "step %d\n", step);
    fflush(log); /* HERE */
}
