#include "save.h"

#include <stdio.h>

int main(void) {
    int status = save("records", 500);
    printf("%ld\n", size_of("records"));
    printf("%d\n", status);
    return status;
}
