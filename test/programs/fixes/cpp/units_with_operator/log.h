#include <fstream>
#include <iostream>

void log_line(std::ostream &log, int step);
void tick(int step);

struct Mark {
    int step;
};
std::ostream &operator<<(std::ostream &out, const Mark &mark);
