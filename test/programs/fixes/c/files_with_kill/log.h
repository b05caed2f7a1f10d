#include <stdio.h>

void log_line(FILE *log, int step);
void tick(int step);
