/* FIX flush-after-every-record example: of two functions of one name one reads the log */
#include "log.h"

void log_line(FILE *log, int step) {
    fprintf(log, "step %d\n", step);
    fflush(log); /* HERE */
}
