/*
 * The file of this process. It is opened for each write and closed again: programs close descriptors that they do not know,
 * and give their numbers to files of their own.
 */
#include "file.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where our descriptor lies while it is open, if the program may have that many: its own get the lowest free numbers. */
#define HIGH_DESCRIPTOR 1000

bool file_begun;

static char file_name[sizeof settings.folder + 320];
/* Ours, while a chunk is being written; -1: none is open. */
static int open_descriptor = -1;
static struct file_identity identity;

static void name_file(void)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    for (char *at = host; *at != 0; at++)
        if (*at == '/') *at = '_';
    snprintf(file_name, sizeof file_name, "%s/%s-%d-%llx.iorec", settings.folder, host, kernel_process(),
             (unsigned long long)monotonic_time());
}

/*
 * Another thread may close what it does not know at any moment, and open a file that gets our number: what a descriptor
 * leads to is looked at before it is written to, or closed.
 */
static bool is_ours(int fd)
{
    struct file_identity found;
    return kernel_identity(fd, &found) && found.device == identity.device && found.number == identity.number;
}

/*
 * Away from the low numbers: a program that closes 0 and opens a file relies on getting 0, and what closes everything must
 * not lead to a file of the program's having our number when we write. Returns -1 when that has happened already.
 */
static int move_up(int fd, bool is_new)
{
    long high = kernel_duplicate(fd, HIGH_DESCRIPTOR);
    int kept = high < 0 ? fd : (int)high;
    if (is_new && (!kernel_identity(kept, &identity) || !kernel_is_named(&identity, file_name))) identity = (struct file_identity){0, 0};
    if (high >= 0 && is_ours(fd)) kernel_close(fd);
    if (is_ours(kept)) return kept;
    if (high >= 0) kernel_close((int)high);
    return -1;
}

long file_open(void)
{
    bool is_new = !file_begun;
    if (is_new) name_file();
    int flags = O_WRONLY | O_APPEND | O_NOFOLLOW | (is_new ? O_CREAT | O_EXCL : 0);
    long fd = kernel_open(file_name, flags, 0666);
    if (fd < 0) return fd;
    open_descriptor = (int)fd;
    open_descriptor = move_up((int)fd, is_new);
    if (open_descriptor < 0) return -EBADF;
    // Whatever the program's umask: it is opened again and again.
    if (is_new) kernel_allow_owner(open_descriptor);
    return open_descriptor;
}

void file_close(void)
{
    if (open_descriptor >= 0) kernel_close(open_descriptor);
    open_descriptor = -1;
}

void file_give_to(long user)
{
    if (file_begun) kernel_call(SYS_fchownat, AT_FDCWD, (long)file_name, user, -1, AT_SYMLINK_NOFOLLOW, 0);
}

/*
 * Writes all or nothing: of a chunk of which only a part had room nothing is left. A limit on the size of files
 * (RLIMIT_FSIZE) would end the program by SIGXFSZ for what is not its own doing: the signal is taken away again.
 */
bool file_write(int fd, const uint8_t *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        long result = kernel_write(fd, bytes + done, size - done);
        if (result == -EINTR) continue;
        if (result == -EFBIG) {
            signal_mask exceeded = (signal_mask)1 << (SIGXFSZ - 1);
            struct timespec nothing = {0, 0};
            kernel_call(SYS_rt_sigtimedwait, (long)&exceeded, 0, (long)&nothing, sizeof exceeded, 0, 0);
        }
        if (result <= 0) break;
        done += (size_t)result;
    }
    if (done == size) return true;
    long end = done > 0 ? kernel_seek(fd, 0, SEEK_END) : -1;
    if (end >= (long)done) kernel_truncate(fd, end - (long)done);
    return false;
}
