/*
 * Code that was made at run time (x86_64): without unwind tables, with a frame pointer as usual, and with nonsense in its
 * register. The recorder must find the first one's caller, stop at the second, and never fault.
 */
#include <string.h>
#include <sys/mman.h>

int checkpoint(void);

/* push %rbp; mov %rsp, %rbp; call *%rdi; pop %rbp; ret */
static const unsigned char usual[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
/* push %rbp; mov $NONSENSE, %rbp; call *%rdi; pop %rbp; ret */
static const unsigned char nonsense[] = {0x55, 0x48, 0xbd, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xd7, 0x5d, 0xc3};

typedef int function(int (*)(void));

int main(void)
{
    unsigned char *code = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(code, usual, sizeof usual);
    int failed = ((function *)(void *)code)(checkpoint);
    volatile long room[64];
    const unsigned long values[] = {0, 8, 1, 4096, (unsigned long)code, (unsigned long)code + 8184, (unsigned long)&room[60],
                                    (unsigned long)&room[61] + 3, 0x7fffffffffff, 0x800000000000, ~0ul, ~7ul};
    for (int i = 0; i < 64; i++)
        room[i] = (long)&room[i];
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        unsigned char *next = code + 64 * (i + 1);
        memcpy(next, nonsense, sizeof nonsense);
        memcpy(next + 3, &values[i], 8);
        failed += ((function *)(void *)next)(checkpoint);
    }
    return failed;
}
