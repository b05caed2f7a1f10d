// FIX flush-after-every-record example: a function that is called meanwhile ends the program
#include <cstdlib>
#include <fstream>

static void check(bool sound) {
    if (!sound) exit(1);
}

static void lines() {
    std::ofstream out("steps.log");
    for (int i = 0; i < 100; i++) {
        out << "step " << i << std::endl; // HERE
        check(i < 50);
    }
}

int main() {
    lines();
    return 0;
}
