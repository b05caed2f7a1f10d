/* Loads one plugin, unloads it, and loads the other: the dynamic linker puts it where the first one was. */
#include <dlfcn.h>
#include <stdio.h>

static int use(const char *plugin)
{
    void *handle = dlopen(plugin, RTLD_NOW);
    if (handle == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*enter)(int) = (int (*)(int))dlsym(handle, "enter");
    int failed = enter(1) > 100;
    return dlclose(handle) + failed;
}

int main(void)
{
    int failed = 0;
    for (int i = 0; i < 3; i++)
        failed += use("./plugin-a.so") + use("./plugin-b.so");
    return failed;
}
