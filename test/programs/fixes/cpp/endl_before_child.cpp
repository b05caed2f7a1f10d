// FIX flush-after-every-record example: a child process reads the file
#include <cstdlib>
#include <fstream>

static int lines() { return std::system("wc -l < log >> counts"); }

int main() {
  std::ofstream log("log");
  for (int i = 0; i < 5; i++) {
    log << "step " << i << std::endl; // HERE
    if (lines() != 0)
      return 1;
  }
}
