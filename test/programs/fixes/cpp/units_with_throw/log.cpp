// FIX flush-after-every-record example: another unit throws, and nobody catches
#include "log.h"

void log_line(std::ostream &log, int step) {
    log << "step " << step << std::endl; // HERE
}
