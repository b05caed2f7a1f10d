#include "log.h"

static int look(void) {
    FILE *in = fopen("run.log", "r");
    fseek(in, 0, SEEK_END);
    int size = (int)ftell(in);
    fclose(in);
    return size;
}

void more(int step);

void more(int step) {
    if (step == 10) printf("%d\n", look());
}
