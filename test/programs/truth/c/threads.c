/* Two threads that write 1,500 records each into files of their own, by a write each or at once. */
#include "workload.h"
#include <pthread.h>

static void prepare(void) {}

static void *writer(void *name) {
    static char records[1500][80];
    int fd = open((const char *)name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
#if REPAIRED
    check(write(fd, records, sizeof records) == sizeof records);
#else
    for (int i = 0; i < 1500; i++)
        check(write(fd, records[i], sizeof records[i]) == sizeof records[i]); /* PLANTED P06 */
#endif
    close(fd);
    /* The two wait side by side. */
    __sync_fetch_and_add(&waited_besides, waited_itself() / 2);
    return NULL;
}

static void workload(void) {
    pthread_t threads[2];
    char names[2][8] = {"left", "right"};
    for (int i = 0; i < 2; i++) check(pthread_create(&threads[i], NULL, writer, names[i]) == 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
