#include "records.h"

#include <stdio.h>

void make_records(const char *name) {
    FILE *out = fopen(name, "wb");
    for (long i = 0; i < 100; i++) fwrite(&i, sizeof i, 1, out);
    fclose(out);
}
