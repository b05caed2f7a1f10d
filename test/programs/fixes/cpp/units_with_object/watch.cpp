#include <cstdio>
#include <sys/stat.h>

class Watch {
public:
    ~Watch() {
        struct stat status;
        if (stat("run.log", &status) == 0) printf("%ld\n", (long)status.st_size);
    }
};

Watch watch;
