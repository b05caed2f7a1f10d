// FIX open-close-in-loop example: what it is given has a conversion that counts
#include <fstream>

static int asked;

struct Path {
    operator const char *() const {
        asked++;
        return asked % 2 == 0 ? "even.log" : "odd.log";
    }
};

int main() {
    Path path;
    for (int step = 0; step < 100; step++) {
        std::ofstream log(path, std::ios::app); // HERE
        log << "step " << step << '\n';
    }
    return 0;
}
