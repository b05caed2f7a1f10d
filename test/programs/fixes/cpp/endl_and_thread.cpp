// FIX flush-after-every-record example: a thread reads the file
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

static int lines() {
  int n = 0;
  std::string line;
  for (std::ifstream in("values"); std::getline(in, line);)
    n++;
  return n;
}

int main() {
  std::ofstream out("values");
  int seen = 0;
  for (int i = 0; i < 20; i++) {
    out << i << std::endl; // HERE
    std::thread reader([&] { seen += lines(); });
    reader.join();
  }
  std::cout << seen << '\n';
}
