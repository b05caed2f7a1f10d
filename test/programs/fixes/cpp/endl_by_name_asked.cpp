// FIX flush-after-every-record example: the stream is asked after each line
#include <fstream>

static const char path[] = "steps.log";

int main() {
    std::ofstream out(path);
    for (int i = 0; i < 100; i++) {
        out << "step " << i << std::endl; // HERE
        if (!out) return 1;
    }
    return 0;
}
