// FIX open-close-in-loop example: the base that is set for one step would last
#include <fstream>
#include <iomanip>

int main() {
    for (int step = 0; step < 100; step++) {
        std::ofstream log("steps.log", std::ios::app); // HERE
        log << "step " << 31 << std::hex << step << '\n';
    }
    return 0;
}
