/* FIX flush-after-every-record trade: the stream is a variable of another source */
#include "log.h"

void log_line(int step) {
    fprintf(run_log, "step %d\n", step);
    fflush(run_log); /* HERE */
}
