// FIX flush-after-every-record trade: what ends the program is not reached while the stream lives
#include <cstdlib>
#include <fstream>

static void check(bool sound) {
    if (!sound) exit(1);
}

static void lines() {
    std::ofstream out("steps.log");
    for (int i = 0; i < 100; i++)
        out << "step " << i << std::endl; // HERE
}

int main() {
    lines();
    check(true);
    return 0;
}
