// FIX flush-after-every-record example: another stream reads the file, which is named by the same variable
#include <fstream>
#include <iostream>
#include <string>

static const char path[] = "steps.log";

int main() {
    std::ofstream out(path);
    std::ifstream in(path);
    std::string line;
    int lines = 0;
    for (int i = 0; i < 100; i++) {
        out << "step " << i << std::endl; // HERE
        if (std::getline(in, line)) lines++;
    }
    std::cout << lines << '\n';
    return 0;
}
