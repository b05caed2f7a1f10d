// FIX posix-small-writes example: an exception leaves the function between open and close, and the file is read then
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <unistd.h>

static int save(const char *numbers) {
  int fd = open("records", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0)
    return 1;
  for (int i = 0; i < 20; i++) {
    std::string line = "record\n";
    if (write(fd, line.data(), 7) != 7) { // HERE
      close(fd);
      return 1;
    }
    i += std::stoi(numbers);
    numbers++;
  }
  return close(fd);
}

int main() {
  char line[16];
  try {
    save("1234x");
  } catch (...) {
    std::puts("no number");
  }
  std::FILE *in = std::fopen("records", "r");
  while (std::fgets(line, sizeof line, in) != nullptr)
    std::fputs(line, stdout);
  return std::fclose(in);
}
