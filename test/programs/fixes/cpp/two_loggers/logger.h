#pragma once
#include <fstream>
#include <string>

class Logger {
public:
  explicit Logger(const std::string &path);
  void line(int step);

private:
  std::ofstream stream;
};
