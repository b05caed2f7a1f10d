// FIX open-close-in-loop example: each open empties the file
#include <fstream>
#include <iomanip>

int main() {
    for (int step = 0; step < 100; step++) {
        std::ofstream log("steps.log", std::ios::out); // HERE
        log << "step " << step << '\n';
    }
    return 0;
}
