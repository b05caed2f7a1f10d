/* Programs that are executed and will not be recorded: those that load no libraries, or not ours. */
#include "../recorder.h"
#include "executed.h"
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A shell script may execute thousands: the first ones tell the tale. */
#define MOST_NOTES 20
#define MOST_PATH 512

#if __SIZEOF_POINTER__ == 8
#define OWN_CLASS ELFCLASS64
typedef Elf64_Ehdr file_header;
typedef Elf64_Phdr segment_header;
typedef Elf64_Dyn dynamic_entry;
#else
#define OWN_CLASS ELFCLASS32
typedef Elf32_Ehdr file_header;
typedef Elf32_Phdr segment_header;
typedef Elf32_Dyn dynamic_entry;
#endif

#if defined __x86_64__
#define OWN_MACHINE EM_X86_64
#elif defined __aarch64__
#define OWN_MACHINE EM_AARCH64
#else
#define OWN_MACHINE EM_NONE
#endif

/* It has a name for those that are linked with it: so the loader has, which can be started by hand. */
static bool is_library(int fd, const segment_header *dynamic)
{
    dynamic_entry entry;
    kernel_seek(fd, (int64_t)dynamic->p_offset, SEEK_SET);
    for (unsigned i = 0; i < 64; i++) {
        if (kernel_read(fd, &entry, sizeof entry) != (long)sizeof entry || entry.d_tag == DT_NULL) return false;
        if (entry.d_tag == DT_SONAME) return true;
    }
    return false;
}

/* The file has a loader's name in it, or is one. */
static bool loads_libraries(int fd, const file_header *header)
{
    segment_header segment;
    for (unsigned i = 0; i < header->e_phnum && i < 64; i++) {
        kernel_seek(fd, (int64_t)(header->e_phoff + (uint64_t)i * header->e_phentsize), SEEK_SET);
        if (kernel_read(fd, &segment, sizeof segment) != (long)sizeof segment) return true;
        if (segment.p_type == PT_INTERP || (segment.p_type == PT_DYNAMIC && is_library(fd, &segment))) return true;
    }
    return false;
}

/* Whether the kernel will give it rights that its caller does not have: the loader passes LD_PRELOAD over then. */
static bool gains_rights(int fd)
{
    struct stat status;
    if (kernel_call(SYS_fstat, fd, (long)&status, 0, 0, 0, 0) != 0) return false;
    if ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid()) return true;
    if ((status.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && status.st_gid != getegid()) return true;
    return geteuid() != 0 && kernel_call(SYS_fgetxattr, fd, (long)"security.capability", 0, 0, 0, 0) > 0;
}

static const char *problem_of_open_file(int fd)
{
    file_header header;
    if (gains_rights(fd)) return "it is set-uid, set-gid or has capabilities";
    if (kernel_read(fd, &header, sizeof header) != (long)sizeof header) return NULL;
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return NULL;
    if (header.e_ident[EI_CLASS] != OWN_CLASS || (OWN_MACHINE != EM_NONE && header.e_machine != OWN_MACHINE))
        return "it is for another machine than the recorder";
    return loads_libraries(fd, &header) ? NULL : "it is linked statically";
}

static const char *problem_of_file(const char *path)
{
    long fd = kernel_open(path, O_RDONLY | O_NONBLOCK, 0);
    if (fd < 0) return NULL;
    const char *problem = problem_of_open_file((int)fd);
    kernel_close((int)fd);
    return problem;
}

static const char *problem_of_environment(char *const environment[])
{
    Dl_info ours;
    const char *preloaded = environment_variable(environment, "LD_PRELOAD");
    const char *folder = environment_variable(environment, "IOLENS_RECORDING");
    if (folder == NULL || *folder == 0) return "its environment has no IOLENS_RECORDING";
    if (preloaded == NULL) return "its environment has no LD_PRELOAD";
    if (dladdr((void *)&note_executed, &ours) == 0 || ours.dli_fname == NULL) return NULL;
    const char *name = strrchr(ours.dli_fname, '/');
    return strstr(preloaded, name == NULL ? ours.dli_fname : name + 1) != NULL ? NULL : "its LD_PRELOAD does not have the recorder";
}

/* The file that a name stands for, as execvp looks for it; false: there is none. */
static bool find_in_path(const char *name, char *path)
{
    const char *folders = environment_variable(environ, "PATH");
    if (folders == NULL) folders = "/bin:/usr/bin";
    for (;;) {
        size_t length = strcspn(folders, ":");
        int bytes = snprintf(path, MOST_PATH, "%.*s/%s", (int)(length < MOST_PATH ? length : MOST_PATH), folders, name);
        if (bytes > 0 && bytes < MOST_PATH && kernel_call(SYS_faccessat, AT_FDCWD, (long)path, X_OK, 0, 0, 0) == 0) return true;
        if (folders[length] == 0) return false;
        folders += length + 1;
    }
}

void note_executed(const char *path, bool in_path, char *const environment[])
{
    static unsigned notes;
    if (recorder_state != ACTIVE || notes >= MOST_NOTES || !kernel_is_text(path)) return;
    if (environment != NULL && !kernel_is_text(environment)) return;
    int before = errno;
    char found[MOST_PATH];
    const char *problem = problem_of_environment(environment);
    if (problem == NULL && in_path && strchr(path, '/') == NULL) path = find_in_path(path, found) ? found : NULL;
    if (problem == NULL && path != NULL) problem = problem_of_file(path);
    if (problem != NULL) {
        char text[MOST_PATH + 128];
        snprintf(text, sizeof text, "%.*s was executed and is not recorded: %s.", MOST_PATH, path, problem);
        note(text);
        notes++;
    }
    errno = before;
}
