// FIX open-close-in-loop example: the name of the file is another one later
#include <fstream>
#include <string>

int main() {
    std::string path = "steps.log";
    for (int step = 0; step < 100; step++) {
        std::ofstream log(path, std::ios::app); // HERE
        log << "step " << step << '\n';
        if (step == 50) path = "later.log";
    }
    return 0;
}
