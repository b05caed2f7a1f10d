// FIX flush-after-every-record trade: the other units only compute
#include "log.h"

void log_line(std::ostream &log, int step) {
    log << "step " << step << std::endl; // HERE
}
