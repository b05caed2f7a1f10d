#include "log.h"

FILE *run_log;

void tick(int step) {
    if (step == 50) printf("half\n");
}
