/* Coroutines whose stacks lie on the heap, and in mappings that are given back and come again in another size. */
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

int checkpoint(void);

static ucontext_t main_context, other;

__attribute__((noinline)) static int down(int depth)
{
    volatile char room[2000];
    room[depth] = 1;
    return depth == 0 ? checkpoint() : down(depth - 1) + room[depth];
}

static void enter(void)
{
    down(3);
    swapcontext(&other, &main_context);
    down(1);
}

static void run(void *stack, size_t size)
{
    getcontext(&other);
    other.uc_stack.ss_sp = stack;
    other.uc_stack.ss_size = size;
    other.uc_link = &main_context;
    makecontext(&other, enter, 0);
    swapcontext(&main_context, &other);
    checkpoint();
    swapcontext(&main_context, &other);
}

int main(void)
{
    void *heap = malloc(1 << 16);
    run(heap, 1 << 16);
    for (size_t size = 1 << 18; size >= 1 << 15; size >>= 1) {
        void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        run(stack, size);
        munmap(stack, size);
    }
    run(heap, 1 << 16);
    return 0;
}
