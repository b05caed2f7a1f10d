// FIX flush-after-every-record trade: the name of the file looks like a type
#include <fstream>

static const char path[] = "steps.log";

int main() {
    std::ofstream out(path);
    for (int i = 0; i < 100; i++)
        out << "step " << i << std::endl; // HERE
    return 0;
}
