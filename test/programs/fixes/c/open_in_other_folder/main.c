#include "log.h"

int main(void) {
    for (int step = 0; step < 200; step++) {
        append("a step\n");
        after(step);
    }
    return 0;
}
