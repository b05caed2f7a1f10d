// FIX open-close-in-loop trade: the stream appends, and the end of its block closes it
#include <fstream>
#include <iomanip>

int main() {
    for (int step = 0; step < 100; step++) {
        std::ofstream log("steps.log", std::ios::app); // HERE
        log << "step " << step << '\n';
    }
    return 0;
}
