// I/O before main, after it, in the destructors of threads' variables, and in libraries that come and go.
#include "calls.h"
#include <dlfcn.h>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

struct Global {
    Global()
    {
        begin();
        put(5);
    }
    ~Global()
    {
        put(4);
        tell_made();
    }
};

Global global;

struct OfThread {
    ~OfThread() { put(3); }
};

thread_local OfThread of_thread;

void write_in_thread()
{
    (void)&of_thread;
    put(2);
}

int compare(const void *, const void *)
{
    put(1);
    throw std::runtime_error("thrown through the C library");
}

} // namespace

int main(int count, char **arguments)
{
    for (int i = 0; i < 20; i++)
        std::thread(write_in_thread).join();
    int numbers[2] = {2, 1};
    try {
        qsort(numbers, 2, sizeof *numbers, compare);
    } catch (const std::exception &error) {
        printf("%s\n", error.what());
    }
    if (count < 2)
        return 91;
    for (int i = 0; i < 50; i++) {
        void *library = dlopen(arguments[1], RTLD_NOW | (i % 2 == 0 ? RTLD_LOCAL : RTLD_GLOBAL));
        if (library == nullptr) {
            printf("%s\n", dlerror());
            return 92;
        }
        auto work = reinterpret_cast<int (*)()>(dlsym(library, "work"));
        if (work() != 3 || dlclose(library) != 0)
            return 92;
        __atomic_fetch_add(made, 5, __ATOMIC_RELAXED);
    }
    void *missing = dlopen("/nowhere/at-all.so", RTLD_NOW);
    put(1);
    printf("%d %s\n", missing == nullptr, dlerror());
    return 0;
}
