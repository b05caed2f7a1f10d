// FIX seek-before-every-access example: a lambda reads on
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

int main() {
  int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644);
  auto next = [&] {
    char c = '?';
    return read(fd, &c, 1) == 1 ? c : '?';
  };
  if (pwrite(fd, "some text", 9, 0) != 9)
    return 1;
  for (int i = 0; i < 4; i++) {
    char c = 0;
    lseek(fd, 2 * i, SEEK_SET); // HERE
    if (read(fd, &c, 1) != 1)
      return 2;
    std::printf("%c%c\n", c, next());
  }
  return close(fd);
}
