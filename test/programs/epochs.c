/* Reads 200 samples in each of four epochs: each from a file of its own, or all from one. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAMPLES = 200, EPOCHS = 4, BYTES = 8192 };

static char sample[BYTES];

static void fail(void) { exit(1); }

static void make_samples(int container)
{
    char name[32];
    for (int i = 0; i < SAMPLES; i++) {
        snprintf(name, sizeof name, container ? "samples.dat" : "sample-%03d.dat", i);
        int file = open(name, O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (file < 0 || write(file, sample, BYTES) != BYTES)
            fail();
        close(file);
    }
}

static void load_file(int i)
{
    char name[32];
    snprintf(name, sizeof name, "sample-%03d.dat", i);
    int file = open(name, O_RDONLY); /* files-read-in-turns */
    if (file < 0 || read(file, sample, BYTES) != BYTES)
        fail();
    close(file);
}

/* Each epoch has a worker of its own, as loaders have them whose workers are not kept. */
static void epoch(int container)
{
    if (fork() != 0) {
        wait(NULL);
        return;
    }
    int file = container ? open("samples.dat", O_RDONLY) : -1;
    for (int i = 0; i < SAMPLES; i++) {
        if (!container)
            load_file(i);
        else if (pread(file, sample, BYTES, (off_t)i * BYTES) != BYTES)
            fail();
    }
    _exit(0);
}

int main(int argc, char **argv)
{
    int container = argc > 1 && strcmp(argv[1], "container") == 0;
    make_samples(container);
    for (int i = 0; i < EPOCHS; i++)
        epoch(container);
    return 0;
}
