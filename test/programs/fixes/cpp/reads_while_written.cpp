// FIX posix-small-reads example: the program writes the file while it reads it
#include <fstream>
#include <iostream>

int main() {
    std::ofstream out("table", std::ios::binary);
    out << "first   ";
    out.flush();
    std::ifstream in;
    in.rdbuf()->pubsetbuf(nullptr, 0);
    in.open("table", std::ios::binary);
    long sum = 0;
    for (int i = 0; i < 9; i++) {
        char number[8];
        in.read(number, sizeof number); // HERE
        sum += in.gcount() * number[0];
        out << "another ";
        out.flush();
    }
    std::cout << sum << '\n';
    return 0;
}
