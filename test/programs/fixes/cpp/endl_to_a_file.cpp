// FIX flush-after-every-record trade: a file of its own, closed when the function ends
#include <fstream>
#include <string>

static void put(std::ostream &out, const std::string &name, double value) {
  out << name << " = " << value << std::endl; // HERE
}

int main() {
  std::ofstream out("values");
  if (!out)
    return 1;
  for (int i = 0; i < 2000; i++)
    put(out, "v" + std::to_string(i), i / 3.0);
}
