/* Three transactions with a journal: each synchronisation keeps an order that a crash must not break. */
#include "workload.h"

static void prepare(void) { make_file(1 << 16); }

static void workload(void) {
    char page[4096] = "page";
    int data = open(path, O_RDWR);
    for (int i = 0; i < 3; i++) {
        int journal = open("journal", O_WRONLY | O_CREAT | O_TRUNC, 0644);
        check(pread(data, page, sizeof page, i * 4096L) == sizeof page);
        check(write(journal, page, sizeof page) == sizeof page && fsync(journal) == 0);
        check(pwrite(data, page, sizeof page, i * 4096L) == sizeof page && fsync(data) == 0);
        close(journal);
        check(unlink("journal") == 0);
    }
    close(data);
}
