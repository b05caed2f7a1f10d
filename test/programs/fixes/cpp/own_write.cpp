// FIX posix-small-writes example: write is a function of the program, which puts a mark in front of each element
#include <cstddef>
#include <cstdio>

struct File {
  std::FILE *stream;
};

static std::size_t write(File &file, const void *data, std::size_t size) {
  std::fputc('#', file.stream);
  return std::fwrite(data, 1, size, file.stream);
}

int main() {
  short row[40];
  File file{std::fopen("rows", "wb")};
  for (int i = 0; i < 40; i++)
    row[i] = short(i);
  for (int i = 0; i < 40; i++)
    if (write(file, &row[i], sizeof row[i]) != sizeof row[i]) // HERE
      return 1;
  return std::fclose(file.stream);
}
