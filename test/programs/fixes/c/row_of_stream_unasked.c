/* FIX posix-small-writes repair: nobody asks what the stream says: what comes behind a failure is tried as well */
#include <stdio.h>

static struct {
    long id;
    char name[9];
} people[120];

int main(void)
{
    int k, n = sizeof people / sizeof people[0];
    FILE *out = fopen("people", "wb");
    for (k = 0; k < n; k++)
        people[k].id = k;
    setbuf(out, NULL);
    for (k = 0; k < n; k++) {
        fwrite(&people[k], sizeof(people[k]), 1, out); // HERE
    }
    return fclose(out) != 0;
}
