/* FIX flush-after-every-record example: a macro of a header calls what reads the file */
#include "log.h"

void log_line(FILE *log, int step) {
    fprintf(log, "step %d\n", step);
    fflush(log); /* HERE */
}
