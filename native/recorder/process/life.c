/* How long the recorded process lives, and what processors do for it. */
#include "life.h"
#include "../recording/calls.h"
#include "../recording/texts.h"
#include <fcntl.h>

/* When the process began to run this program, and what processors had worked for it before; nanoseconds. */
static struct {
    uint64_t at;
    uint64_t user;
    uint64_t system;
    /* What its first thread had run or been ready to run. */
    uint64_t first_thread;
} began;

/* What the process is about to send itself; 0: it does not end by a signal. */
static int ending_signal;

long life_read_file(const char *path, char *bytes, size_t size)
{
    long fd = kernel_open(path, O_RDONLY, 0);
    if (fd < 0) return 0;
    long length = kernel_read((int)fd, bytes, size);
    kernel_close((int)fd);
    return length < 0 ? 0 : length;
}

static uint64_t number_at(const char **text)
{
    uint64_t number = 0;
    for (; **text >= '0' && **text <= '9'; (*text)++) number = number * 10 + (uint64_t)(**text - '0');
    return number;
}

/* Nanoseconds for which the first thread ran and waited for a processor; 0: the kernel does not tell. */
static uint64_t first_thread_time(void)
{
    char text[96];
    const char *at = text;
    text[life_read_file("/proc/self/schedstat", text, sizeof text - 1)] = 0;
    uint64_t ran = number_at(&at);
    if (*at == ' ') at++;
    return ran + number_at(&at);
}

void life_begins(bool is_forked)
{
    began.at = monotonic_time();
    began.user = began.system = began.first_thread = 0;
    if (is_forked) return;
    kernel_processor_times(&began.user, &began.system);
    began.first_thread = first_thread_time();
}

uint64_t life_began(void)
{
    return began.at;
}

void life_ends_by(int signal)
{
    ending_signal = signal;
}

void define_life(struct definition *definition)
{
    uint64_t user, system, first_thread = first_thread_time();
    kernel_processor_times(&user, &system);
    define(definition, monotonic_time());
    define(definition, user - began.user);
    define(definition, system - began.system);
    define(definition, (uint64_t)ending_signal);
    define(definition, first_thread > began.first_thread ? first_thread - began.first_thread : 0);
    define(definition, calls_taken());
}
