#include <setjmp.h>
#include <stdio.h>

extern jmp_buf back;

void log_line(FILE *log, int step);
void tick(int step);
