// FIX flush-after-every-record example: the program reads the file by the same name
#include <fstream>
#include <iostream>
#include <string>

static const char path[] = "steps.log";

int main() {
    std::ofstream log(path);
    for (int step = 0; step < 100; step++) {
        log << "step " << step << std::endl; // HERE
        if (step != 60) continue;
        std::ifstream in(path);
        std::string line;
        while (std::getline(in, line)) std::cout << line.size() << "\n";
    }
    return 0;
}
