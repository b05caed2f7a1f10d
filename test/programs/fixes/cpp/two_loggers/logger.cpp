// FIX flush-after-every-record example: two objects of the class append to one file in turns
#include "logger.h"

Logger::Logger(const std::string &path) : stream(path, std::ios::app) {}

void Logger::line(int step) {
  stream << "step " << step << std::endl; // HERE
}
