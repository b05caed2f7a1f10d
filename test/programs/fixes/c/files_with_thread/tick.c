#include <pthread.h>

#include "log.h"

static void *look(void *nothing) {
    FILE *in = fopen("run.log", "r");
    fseek(in, 0, SEEK_END);
    printf("%ld\n", ftell(in));
    fclose(in);
    return nothing;
}

void tick(int step) {
    if (step != 70) return;
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    pthread_join(thread, NULL);
}
