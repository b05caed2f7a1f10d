// FIX flush-after-every-record example: an exception that nobody catches ends the program without destructors
#include <fstream>
#include <stdexcept>

static double root(int i) {
  if (i > 100)
    throw std::runtime_error("too large");
  return i / 2.0;
}

int main() {
  std::ofstream out("values");
  for (int i = 0; i < 200; i++)
    out << root(i) << std::endl; // HERE
}
