/*
 * The file of this process. While there is one thread it is opened for each write and closed again. Beside others a moment in
 * which our descriptor has the lowest free number might be seen: before there are any it is opened, and stays so at a high
 * number. Programs close descriptors that they do not know, and give their numbers to files of their own: where it leads is
 * looked at before each write, and it gives way to copies (dup2).
 */
#include "file.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Where our descriptor lies, if the program may have that many: its own get the lowest free numbers. */
#define HIGH_DESCRIPTOR 1000

/* How often another thread may close what we have just opened, before the bytes are lost. */
#define MOST_ATTEMPTS 20

static bool is_created;
static bool stays_open;
static bool is_held;
static char file_name[sizeof settings.folder + 320];
/* Ours, unless the program closed it; -1: none is open. */
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

static bool is_ours(int fd)
{
    struct file_identity found;
    return kernel_identity(fd, &found) && found.device == identity.device && found.number == identity.number;
}

/* Where there is one thread nobody can have put another file there. */
static void close_ours(int fd)
{
    if (fd >= 0 && (!stays_open || is_ours(fd))) kernel_close(fd);
}

static void close_file(void)
{
    close_ours(open_descriptor);
    open_descriptor = -1;
}

/*
 * Away from the low numbers, or from the one where it lies: a program that closes 0 and opens a file relies on getting 0.
 * Where it may not have that many, the number stays.
 */
static void move_up(void)
{
    int lowest = open_descriptor < HIGH_DESCRIPTOR ? HIGH_DESCRIPTOR : open_descriptor + 1;
    long high = kernel_duplicate(open_descriptor, lowest);
    if (high < 0) return;
    close_ours(open_descriptor);
    open_descriptor = (int)high;
    if (!stays_open || is_ours(open_descriptor)) return;
    // The copy of a file that another thread has put where ours was.
    kernel_close(open_descriptor);
    open_descriptor = -1;
}

/* False: it cannot be opened. Whether it is still ours then must be asked before it is used. */
static bool open_file(void)
{
    if (is_ours(open_descriptor)) return true;
    bool is_new = !is_created;
    if (is_new) name_file();
    long fd = kernel_open(file_name, O_RDWR | O_APPEND | O_NOFOLLOW | (is_new ? O_CREAT | O_EXCL : 0), 0666);
    if (fd < 0) return false;
    is_created = true;
    // From here on the program's close and dup2 pass it over, or wait.
    open_descriptor = (int)fd;
    // By its name: the number may be another file's already. Some file systems number a file anew each time it is opened.
    if (!is_ours(open_descriptor)) kernel_identity_of(file_name, &identity);
    move_up();
    // Whatever the program's umask: it may have to be opened again.
    if (is_new && is_ours(open_descriptor)) kernel_allow_owner(open_descriptor);
    return true;
}

/* After each use. */
static void put_down(void)
{
    if (!is_held && (open_descriptor < HIGH_DESCRIPTOR || !stays_open)) close_file();
}

void file_hold(bool holds)
{
    is_held = holds;
    if (!holds && open_descriptor >= 0) put_down();
}

bool file_stay_open(void)
{
    if (stays_open) return false;
    open_file();
    stays_open = true;
    if (open_descriptor < HIGH_DESCRIPTOR) close_file();
    return true;
}

int file_descriptor_within(unsigned first, unsigned last)
{
    int fd = open_descriptor;
    return fd >= 0 && (unsigned)fd >= first && (unsigned)fd <= last && is_ours(fd) ? fd : -1;
}

bool file_is_at(int fd)
{
    return fd >= 0 && fd == open_descriptor;
}

void file_make_way(int fd)
{
    signal_mask before;
    definitions_lock(&before);
    if (file_is_at(fd)) move_up();
    if (file_is_at(fd)) close_file();
    definitions_unlock(&before);
}

void file_let_go(void)
{
    signal_mask before;
    definitions_lock(&before);
    close_file();
    definitions_unlock(&before);
}

void file_forget(void)
{
    if (is_ours(open_descriptor)) kernel_close(open_descriptor);
    open_descriptor = -1;
    is_created = false;
    stays_open = false;
    is_held = false;
}

void file_give_to(long user)
{
    if (is_created) kernel_call(SYS_fchownat, AT_FDCWD, (long)file_name, user, -1, AT_SYMLINK_NOFOLLOW, 0);
}

/*
 * A limit on the size of files (RLIMIT_FSIZE) would end the program by SIGXFSZ for what is not its own doing: the signal is
 * taken away again.
 */
static void if_exceeded(long result)
{
    if (result != -EFBIG) return;
    signal_mask exceeded = (signal_mask)1 << (SIGXFSZ - 1);
    struct timespec nothing = {0, 0};
    kernel_call(SYS_rt_sigtimedwait, (long)&exceeded, 0, (long)&nothing, sizeof exceeded, 0, 0);
}

/* Writes all or nothing: of a chunk of which only a part had room nothing is left. */
static bool write_all(int fd, const uint8_t *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        long result = kernel_write(fd, bytes + done, size - done);
        if (result == -EINTR) continue;
        if_exceeded(result);
        if (result <= 0) break;
        done += (size_t)result;
    }
    if (done == size) return true;
    long end = done > 0 && is_ours(fd) ? kernel_seek(fd, 0, SEEK_END) : -1;
    if (end >= (long)done) kernel_truncate(fd, end - (long)done);
    return false;
}

bool file_append(const uint8_t *bytes, size_t size)
{
    bool is_written = false;
    for (int attempt = 0; attempt < MOST_ATTEMPTS && !is_written; attempt++) {
        if (!open_file()) return false;
        is_written = is_ours(open_descriptor) && write_all(open_descriptor, bytes, size);
        if (!is_written && is_ours(open_descriptor)) break;
    }
    put_down();
    return is_written;
}

/* ---- memory that is a part of the file ---- */

/*
 * Others give a place for what is written anew (Btrfs, ZFS), or may lose the server: a page without a place ends the program
 * by SIGBUS.
 */
bool file_keeps_room(void)
{
    static const long KEEPING[] = {0xef53 /* ext4 */, 0x58465342 /* XFS */, 0x01021994 /* tmpfs */, 0x794c7630 /* overlay */};
    struct statfs system;
    bool keeps = false;
    if (open_file() && kernel_call(SYS_fstatfs, open_descriptor, (long)&system, 0, 0, 0, 0) == 0)
        for (size_t i = 0; i < sizeof KEEPING / sizeof *KEEPING; i++) keeps = keeps || system.f_type == KEEPING[i];
    put_down();
    return keeps;
}

int64_t file_end(void)
{
    int64_t end = open_file() ? kernel_seek(open_descriptor, 0, SEEK_END) : -1;
    put_down();
    return end < 0 ? -1 : end;
}

bool file_map(void *memory, int64_t from, size_t bytes)
{
    bool is_mapped = open_file() && is_ours(open_descriptor) && kernel_map(memory, bytes, open_descriptor, from);
    put_down();
    return is_mapped;
}

bool file_cut(int64_t end)
{
    bool is_cut = open_file() && is_ours(open_descriptor) && kernel_truncate(open_descriptor, end) == 0;
    put_down();
    return is_cut;
}
