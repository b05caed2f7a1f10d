#include <stdio.h>

void append(const char *line);
void after(int step);
