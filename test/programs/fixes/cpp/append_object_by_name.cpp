// FIX open-close-in-loop trade: the names of file and mode look like types
#include <fstream>

static const char path[] = "steps.log";

int main() {
    for (int step = 0; step < 100; step++) {
        std::ofstream log(path, std::ios::app); // HERE
        log << "step " << step << '\n';
    }
    return 0;
}
