// FIX flush-after-every-record example: an object of another unit counts the lines when it goes
#include "log.h"

void log_line(std::ostream &log, int step) {
    log << "step " << step << std::endl; // HERE
}
