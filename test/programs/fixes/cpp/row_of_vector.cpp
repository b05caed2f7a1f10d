// FIX posix-small-writes repair: a vector's elements lie behind each other
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

static bool save(int fd, const std::vector<double> &row) {
  for (size_t i = 0; i < row.size(); i++)
    if (::write(fd, &row[i], sizeof row[i]) != sizeof row[i]) // HERE
      return false;
  return true;
}

int main() {
  int fd = open("rows", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  std::vector<double> row;
  for (int i = 0; i < 20; i++) {
    std::printf("%d\n", save(fd, row));
    row.push_back(i);
  }
  return close(fd);
}
