/* 2,000 tries to open a file of settings that is not there, or one. */
#include "workload.h"

static void prepare(void) {}

static void workload(void) {
    char settings[4200];
    int found = 0;
    snprintf(settings, sizeof settings, "%s.settings", path);
#if REPAIRED
    found = open(settings, O_RDONLY) >= 0;
#endif
    for (int i = 0; i < 2000; i++) {
#if !REPAIRED
        found = open(settings, O_RDONLY) >= 0; /* PLANTED L11|L12 */
#endif
        check(!found);
    }
}
