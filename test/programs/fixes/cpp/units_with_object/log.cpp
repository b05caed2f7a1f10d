// FIX flush-after-every-record example: an object of another unit looks at the log when its time comes
#include "log.h"

void log_line(std::ostream &log, int step) {
    log << "step " << step << std::endl; // HERE
}
