/* Compiled twice, with functions of different sizes at the same places (LONGER). */
int checkpoint(void);

__attribute__((noinline)) static int inside(int n)
{
    volatile char room[LONGER ? 3000 : 40];
    room[n] = 1;
    return checkpoint() + room[n];
}

int enter(int n)
{
    volatile char room[LONGER ? 16 : 700];
    room[n] = 1;
    return inside(n) + room[n];
}
