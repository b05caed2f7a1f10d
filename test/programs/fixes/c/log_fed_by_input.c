/* FIX flush-after-every-record example: who gives the input may wait for what is written */
#include <stdio.h>

int main(void)
{
    char line[64] = "nothing";
    FILE *answers = fopen("answers", "w");
    for (int step = 0; step < 9; step++) {
        fprintf(answers, "ready for %d\n", step);
        fflush(answers); // HERE
        if (fgets(line, sizeof line, stdin) != NULL)
            puts(line);
    }
    return fclose(answers);
}
