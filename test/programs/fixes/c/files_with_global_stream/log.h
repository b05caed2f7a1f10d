#include <stdio.h>

extern FILE *run_log;
void log_line(int step);
void tick(int step);
