// Stacks while an exception is on its way: in destructors that it calls, in handlers, and in templates.
#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" int checkpoint(void);

struct Guard {
    ~Guard() { checkpoint(); }
};

template <typename Value, int Depth> struct Nested {
    __attribute__((noinline)) static int run(const Value &value)
    {
        Guard guard;
        return Nested<std::vector<Value>, Depth - 1>::run(std::vector<Value>(2, value)) + 1;
    }
};

template <typename Value> struct Nested<Value, 0> {
    __attribute__((noinline)) static int run(const Value &)
    {
        checkpoint();
        throw std::runtime_error("end");
    }
};

int main()
{
    int caught = 0;
    for (int i = 0; i < 2; i++) {
        try {
            Nested<int, 4>::run(i);
        } catch (const std::exception &) {
            checkpoint();
            caught++;
        }
    }
    std::vector<int> numbers{3, 1, 2};
    std::function<bool(int, int)> before = [](int a, int b) { return checkpoint() + a < b; };
    std::sort(numbers.begin(), numbers.end(), before);
    return caught == 2 ? 0 : 1;
}
