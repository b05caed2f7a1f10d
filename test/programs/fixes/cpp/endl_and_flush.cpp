/* FIX flush-after-every-record example: the line flushes by another word, too */
#include <fstream>
int main() {
  std::ofstream out("out");
  for (int i = 0; i < 9; i++)
    out << "r" << i << std::endl << std::flush; // HERE
}
