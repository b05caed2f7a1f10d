#include "logger.h"

int main() {
  Logger logger("run.log");
  for (int step = 0; step < 3000; step++)
    logger.line(step);
}
