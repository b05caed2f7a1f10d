// FIX posix-small-writes example: an index operator of a class gives every other element
#include <fcntl.h>
#include <unistd.h>

struct Column {
  double *first;
  int stride;
  double &operator[](int i) { return first[i * stride]; }
};

int main() {
  int fd = open("column", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  double table[5][4];
  for (int i = 0; i < 20; i++)
    table[i / 4][i % 4] = i;
  Column column{&table[0][1], 4};
  for (int i = 0; i < 5; i++)
    if (write(fd, &column[i], sizeof column[i]) != sizeof column[i]) // HERE
      return 1;
  return close(fd);
}
