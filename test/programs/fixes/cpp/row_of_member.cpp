// FIX posix-small-writes repair: an array that is a member
#include <array>
#include <fcntl.h>
#include <unistd.h>

class Spectrum {
public:
  explicit Spectrum(const char *name) : fd(open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644)) {}
  ~Spectrum() { close(fd); }
  bool save() const {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (write(fd, &values[i], sizeof(float)) != sizeof(float)) // HERE
        return false;
    return true;
  }
  void set(int i, float value) { values[i] = value; }

private:
  int fd;
  std::array<float, 64> values{};
};

int main() {
  Spectrum spectrum("spectrum");
  for (int i = 0; i < 64; i++)
    spectrum.set(i, i / 2.0f);
  return spectrum.save() && spectrum.save() ? 0 : 1;
}
