/* FIX flush-after-every-record example: a jump leaves the stream open, and _exit ends the program */
#include "log.h"

void log_line(FILE *log, int step) {
    fprintf(log, "step %d\n", step);
    fflush(log); /* HERE */
}
