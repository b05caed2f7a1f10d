// FIX flush-after-every-record example: exit leaves without the destructors of local objects
#include <cstdlib>
#include <fstream>

static void finish(int step) {
  if (step == 50)
    std::exit(0);
}

int main() {
  std::ofstream out("values");
  for (int i = 0; i < 100; i++) {
    out << i << std::endl; // HERE
    finish(i);
  }
}
