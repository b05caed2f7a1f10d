/* Functions that go through folders by themselves, and call functions of the program. */
#define _GNU_SOURCE
#include "report.h"
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/stat.h>

static jmp_buf back;
static int seen;

static int count(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    int fd = open("tree/inside/file", O_RDONLY);
    seen++;
    close(fd);
    return status->st_size < 0 || place->level < 0 || kind == FTW_NS ? -1 : 0;
}

static int count64(const char *path, const struct stat64 *status, int kind, struct FTW *place)
{
    seen++;
    return status->st_size < 0 || place->level < 0;
}

static int count_plainly(const char *path, const struct stat *status, int kind)
{
    seen++;
    return status->st_size < 0;
}

static int count_plainly64(const char *path, const struct stat64 *status, int kind)
{
    seen++;
    return status->st_size < 0;
}

static int stop(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    return seen++ == 1 ? 7 : 0;
}

static int leave(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    longjmp(back, 1);
}

/* A walk in a walk, and one in it that is left. */
static int nest(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    if (setjmp(back) == 0)
        nftw("tree/inside", leave, 5, 0);
    return nftw("tree/inside", count, 5, FTW_PHYS);
}

static void by_nftw(void)
{
    SHOW(nftw("tree", count, 5, FTW_PHYS));
    SHOW(seen);
    SHOW(nftw64("tree", count64, 5, FTW_PHYS));
    SHOW(nftw("tree", nest, 5, FTW_PHYS | FTW_DEPTH));
    SHOW(seen);
    seen = 0;
    SHOW(nftw("tree", stop, 5, 0));
    SHOW(nftw("missing", count, 5, 0));
    SHOW(ftw("tree", count_plainly, 5));
    SHOW(ftw64("tree", count_plainly64, 5));
    SHOW(seen);
}

static int by_name(const FTSENT **one, const FTSENT **other)
{
    return strcmp((*one)->fts_name, (*other)->fts_name);
}

static int by_name64(const FTSENT64 **one, const FTSENT64 **other)
{
    return strcmp((*one)->fts_name, (*other)->fts_name);
}

static void by_fts(void)
{
    char *paths[] = {"tree", "missing", NULL};
    FTS *walk = fts_open(paths, FTS_PHYSICAL, by_name);
    FTSENT *entry;
    SHOW_IF(walk);
    while ((entry = fts_read(walk)) != NULL) {
        report("    %s %d\n", entry->fts_path, entry->fts_info);
        if (entry->fts_info == FTS_D)
            SHOW_IF(fts_children(walk, 0));
    }
    SHOW(errno);
    SHOW(fts_close(walk));
    FTS64 *walk64 = fts64_open(paths, FTS_LOGICAL | FTS_NOCHDIR, by_name64);
    SHOW_IF(fts64_read(walk64));
    SHOW_IF(fts64_children(walk64, 0));
    SHOW(fts64_close(walk64));
    SHOW_IF(fts_open(paths, -1, NULL));
}

static void by_glob(void)
{
    glob_t found;
    glob64_t found64;
    SHOW(glob("tree/*/f*", 0, NULL, &found));
    SHOW_BYTES(found.gl_pathv[0], strlen(found.gl_pathv[0]));
    globfree(&found);
    SHOW(glob("/*", 0, NULL, &found));
    SHOW(glob("none*", 0, NULL, &found));
    SHOW(glob64("tree", 0, NULL, &found64));
}

int main(void)
{
    mkdir("tree", 0755);
    mkdir("tree/inside", 0755);
    close(open("tree/inside/file", O_CREAT | O_WRONLY, 0644));
    by_nftw();
    by_fts();
    by_glob();
    return report_end();
}
