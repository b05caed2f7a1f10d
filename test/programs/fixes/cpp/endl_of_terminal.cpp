// FIX flush-after-every-record example: the standard output may be a terminal or a pipe
#include <iostream>

int main() {
  for (int i = 0; i < 20; i++)
    std::cout << i << std::endl; // HERE
}
