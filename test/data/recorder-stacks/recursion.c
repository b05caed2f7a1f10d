/* Deeper than stacks are taken down, with two places of recursion. */
#include <stdlib.h>

int checkpoint(void);

__attribute__((noinline)) static int down(int depth)
{
    if (depth == 0)
        return checkpoint();
    return depth % 3 == 0 ? down(depth - 1) + 1 : down(depth - 1) - 1;
}

int main(int argc, char **argv)
{
    int deepest = argc > 1 ? atoi(argv[1]) : 300, sum = 0;
    for (int depth = 0; depth <= deepest; depth += 7)
        sum += down(depth);
    return sum == 12345;
}
