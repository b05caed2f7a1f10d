// FIX open-close-in-loop example: a step that is left out closes the stream as well
#include <fstream>
#include <iomanip>

int main() {
    for (int step = 0; step < 100; step++) {
        std::ofstream log("steps.log", std::ios::app); // HERE
        log << "step " << step << '\n';
        if (step % 7 == 2) continue;
        log << "more\n";
    }
    return 0;
}
