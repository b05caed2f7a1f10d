// FIX posix-small-reads repair: an input stream without a buffer, in a program that writes no file
#include <fstream>
#include <iostream>

int main(int, char **argv) {
    std::ifstream in;
    in.rdbuf()->pubsetbuf(nullptr, 0);
    in.open(argv[0], std::ios::binary);
    long sum = 0;
    for (int i = 0; i < 300; i++) {
        char number[8];
        in.read(reinterpret_cast<char *>(&number), sizeof number); // HERE
        sum += number[0] * i;
    }
    std::cout << (sum != 1) << '\n';
    return 0;
}
