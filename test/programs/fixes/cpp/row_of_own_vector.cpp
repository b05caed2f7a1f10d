// FIX posix-small-writes example: a class of that name that is not the library's
#include <fcntl.h>
#include <unistd.h>

namespace own {
template <typename T> class vector {
  T *cells[10];
  T storage[10][2];

public:
  vector() {
    for (int i = 0; i < 10; i++)
      (cells[i] = storage[9 - i])[0] = T(i);
  }
  T &operator[](int i) { return *cells[i]; }
};
} // namespace own
using own::vector;

int main() {
  int fd = open("rows", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  vector<int> row;
  for (int i = 0; i < 10; i++)
    if (write(fd, &row[i], sizeof row[i]) != sizeof row[i]) // HERE
      return 1;
  return close(fd);
}
