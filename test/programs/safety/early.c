/* A library that uses memory when it is loaded: before constructors of libraries that are preloaded. */
#include <stdlib.h>

__attribute__((constructor)) static void early(void)
{
    void *volatile memory = malloc(10);
    free(memory);
}
