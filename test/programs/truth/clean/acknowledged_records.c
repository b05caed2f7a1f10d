/* A store that promises its client that a record is safe: each fsync is needed before the answer. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    char record[256], answer = 1;
    int requests[2], answers[2];
    check(pipe(requests) == 0 && pipe(answers) == 0);
    pid_t client = fork();
    if (client == 0) {
        close(requests[0]);
        close(answers[1]);
        for (int i = 0; i < 25; i++) {
            check(write(requests[1], record, sizeof record) == sizeof record);
            check(read(answers[0], &answer, 1) == 1);
        }
        _exit(0);
    }
    close(requests[1]);
    close(answers[0]);
    int store = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    while (read(requests[0], record, sizeof record) == sizeof record) {
        check(write(store, record, sizeof record) == sizeof record);
        check(fdatasync(store) == 0);
        check(write(answers[1], &answer, 1) == 1);
    }
    close(store);
    close(requests[0]);
    close(answers[1]);
    waitpid(client, NULL, 0);
}
