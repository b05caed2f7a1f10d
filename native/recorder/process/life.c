/* How long the recorded process lives, and what processors do for it. */
#include "life.h"
#include "../recording/calls.h"
#include "../recording/texts.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

/* What the kernel has counted of this process alone, its threads included. */
struct usage {
    /* Nanoseconds that processors worked for it, in its own code and in the kernel. */
    uint64_t user;
    uint64_t system;
    /* Bytes that were fetched for it from disks; file systems of the network do not count. */
    uint64_t fetched;
    /* How often it waited for a page of a mapped file to be fetched. */
    uint64_t page_waits;
};

/* When the process began to run this program, in nanoseconds, and what it had used before. */
static struct {
    uint64_t at;
    struct usage usage;
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

static uint64_t nanoseconds_of(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

static struct usage usage_now(void)
{
    struct rusage usage;
    memset(&usage, 0, sizeof usage);
    kernel_call(SYS_getrusage, RUSAGE_SELF, (long)&usage, 0, 0, 0, 0);
    return (struct usage){
        .user = nanoseconds_of(usage.ru_utime),
        .system = nanoseconds_of(usage.ru_stime),
        .fetched = (uint64_t)usage.ru_inblock * 512,
        .page_waits = (uint64_t)usage.ru_majflt,
    };
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
    began.usage = (struct usage){0};
    began.first_thread = 0;
    if (is_forked) return;
    began.usage = usage_now();
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
    uint64_t first_thread = first_thread_time();
    struct usage usage = usage_now();
    define(definition, monotonic_time());
    define(definition, usage.user - began.usage.user);
    define(definition, usage.system - began.usage.system);
    define(definition, (uint64_t)ending_signal);
    define(definition, first_thread > began.first_thread ? first_thread - began.first_thread : 0);
    define(definition, calls_taken());
    define(definition, usage.fetched - began.usage.fetched);
    define(definition, usage.page_waits - began.usage.page_waits);
}
