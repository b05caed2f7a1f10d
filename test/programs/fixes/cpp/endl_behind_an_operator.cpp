/* FIX flush-after-every-record example: what the operator does stands in another file */
#include <fstream>
#include <ostream>
struct Point {
  int x;
};
std::ostream &operator<<(std::ostream &to, const Point &point);
int main() {
  std::ofstream out("out");
  for (int i = 0; i < 9; i++) {
    Point point{i};
    out << "at " << point << std::endl; // HERE
  }
}
#ifndef ELSEWHERE
std::ostream &operator<<(std::ostream &to, const Point &point) { return to << point.x; }
#endif
