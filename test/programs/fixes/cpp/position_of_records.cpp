// FIX seek-before-every-access repair: records at positions of their own
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

struct Record {
  int id;
  double value;
};

int main() {
  int fd = ::open("records", O_RDWR | O_CREAT, 0644);
  if (fd < 0)
    return 1;
  for (unsigned i = 0; i < 40; i++) {
    Record record{int(i), i / 2.0};
    unsigned place = i * 7 % 40;
    if (::lseek(fd, place * sizeof(Record), SEEK_SET) == -1) { // HERE
      std::perror("records");
      std::exit(2);
    }
    if (::write(fd, &record, sizeof record) != sizeof record)
      return 3;
  }
  return ::close(fd);
}
