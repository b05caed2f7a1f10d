#include <fstream>
#include <iostream>

void log_line(std::ostream &log, int step);
void tick(int step);
