// FIX flush-after-every-record example: the object is never deleted, so that nothing closes its file
#include <fstream>

class Logger {
public:
  explicit Logger(const char *name) : stream(name) {}
  void line(int step) {
    stream << "step " << step << std::endl; // HERE
  }

private:
  std::ofstream stream;
};

static Logger *logger = new Logger("run.log");

int main() {
  for (int step = 0; step < 30; step++)
    logger->line(step);
}
