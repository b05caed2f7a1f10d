// A program with much debug information (templates, inlined calls): what addresses are looked up in.
#include <algorithm>
#include <iostream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

template <int N>
struct Stage {
  static std::string run(const std::vector<std::string> &words) {
    std::map<std::string, std::vector<int>> places;
    std::unordered_map<int, std::string> names;
    for (size_t i = 0; i < words.size(); i++) {
      places[words[i] + std::to_string(N)].push_back(static_cast<int>(i) * N);
      names.emplace(static_cast<int>(i), words[i]);
    }
    std::ostringstream text;
    for (auto &[word, indices] : places) {
      std::sort(indices.begin(), indices.end(), [](int a, int b) { return a % (N + 2) < b % (N + 2); });
      text << word << ':' << indices.size() << ' ' << names[indices.front() / (N + 1)];
    }
    if (std::regex_search(text.str(), std::regex("[a-z]+" + std::to_string(N)))) text << N;
    return text.str() + Stage<N - 1>::run(words);
  }
};

template <>
struct Stage<0> {
  static std::string run(const std::vector<std::string> &) { return ""; }
};

int main(int argc, char **argv) {
  std::vector<std::string> words(argv, argv + argc);
  std::cout << Stage<60>::run(words) << '\n';
}
