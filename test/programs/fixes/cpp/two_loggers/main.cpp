#include "logger.h"

int main() {
  Logger first("run.log"), second("run.log");
  for (int step = 0; step < 30; step++) {
    first.line(step);
    second.line(-step);
  }
}
