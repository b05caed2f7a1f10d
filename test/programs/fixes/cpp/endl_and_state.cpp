// FIX flush-after-every-record example: after each line the program asks whether it is written
#include <cstdio>
#include <fstream>

int main() {
  std::ofstream out("values");
  for (int i = 0; i < 2000; i++) {
    out << i << std::endl; // HERE
    if (!out)
      return 1;
  }
  std::puts("all are written");
}
