/* FIX flush-after-every-record trade: the other sources only compute */
#include "log.h"

void log_line(FILE *log, int step) {
    fprintf(log, "step %d\n", step);
    fflush(log); /* HERE */
}
