/* FIX flush-after-every-record example: the file is given its name while the stream is open, and read by that name */
#include <stdio.h>

int main(void)
{
    char line[16] = "";
    for (int step = 0; step < 10; step++) {
        FILE *out = fopen("state.new", "w"), *in;
        fprintf(out, "%d", step);
        fflush(out); // HERE
        if (rename("state.new", "state") != 0)
            return 1;
        in = fopen("state", "r");
        if (fgets(line, sizeof line, in) == NULL)
            puts("nothing");
        puts(line);
        fclose(in);
        fclose(out);
    }
    return 0;
}
