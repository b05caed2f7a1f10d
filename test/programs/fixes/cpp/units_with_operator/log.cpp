// FIX flush-after-every-record example: the operator of another unit reads the log
#include "log.h"

void log_line(std::ostream &log, int step) {
    log << "step " << step << std::endl; // HERE
}
