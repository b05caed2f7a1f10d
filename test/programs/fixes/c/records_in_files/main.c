#include "save.h"

#include <stdio.h>

int main(void) {
    int status = save("records", 500);
    printf("%d\n", status);
    return status;
}
