// FIX seek-before-every-access example: a function changes the position, which is given by reference, below zero
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

static void back(int &at) { at -= 3; }

int main() {
  char c = 0;
  int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (pwrite(fd, "some text", 9, 0) != 9)
    return 1;
  for (int i = 0; i < 5; i++) {
    int at = 1;
    if (i % 2)
      back(at);
    lseek(fd, at, SEEK_SET); // HERE
    if (read(fd, &c, 1) != 1)
      return 2;
    std::printf("%c", c);
  }
  return close(fd);
}
