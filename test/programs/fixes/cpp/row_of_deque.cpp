// FIX posix-small-writes example: a deque's elements do not lie behind each other
#include <deque>
#include <fcntl.h>
#include <unistd.h>

int main() {
  int fd = open("rows", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  std::deque<double> row(1000);
  for (size_t i = 0; i < row.size(); i++)
    row[i] = i;
  for (size_t i = 0; i < row.size(); i++)
    if (write(fd, &row[i], sizeof row[i]) != sizeof row[i]) // HERE
      return 1;
  return close(fd);
}
