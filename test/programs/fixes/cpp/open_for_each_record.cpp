// FIX open-close-in-loop trade: opened, written and closed for each record by a member
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

class Journal {
public:
  bool add(int id) {
    char text[32];
    int size = std::snprintf(text, sizeof text, "%d\n", id);
    int fd = ::open("journal", O_WRONLY | O_CREAT | O_APPEND, 0644); // HERE
    if (fd < 0)
      return false;
    bool ok = ::write(fd, text, size) == size;
    ::close(fd);
    return ok;
  }
};

int main() {
  Journal journal;
  for (int i = 0; i < 50; i++)
    if (!journal.add(i))
      return 1;
}
