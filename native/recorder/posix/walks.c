/*
 * The layer POSIX: functions that go through folders by themselves. What they ask the kernel inside of the C library is not
 * seen: each step is a call of theirs.
 */
#include "../wrapper.h"
#include <ftw.h>
#include <glob.h>
#if __has_include(<fts.h>)
#include <fts.h>
#endif

/* ---- nftw, ftw: a call for each entry, from where the program's function returned to where it is called again ---- */

typedef int visit_function(const char *path, const struct stat *status, int kind, struct FTW *place);

/* A walk under way. One may be made within another, and left by a jump. */
struct tree_walk {
    visit_function *visit;
    struct call call;
    bool is_recorded;
    struct function *function;
    void *frame;
};
static __thread struct tree_walk *current;

static void put_step(struct tree_walk *walk, const char *path, int result)
{
    if (!walk->is_recorded || !call_end(&walk->call)) return;
    put_path(&walk->call, path, result < 0);
    put_result(&walk->call, result < 0 ? -1 : 0);
    call_commit(&walk->call);
}

static int visit(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    struct tree_walk *walk = current;
    put_step(walk, path, 0);
    int result = walk->visit(path, status, kind, place);
    current = walk;
    walk->is_recorded = call_begin_from(&walk->call, walk->function, walk->frame);
    return result;
}

static int visit_plainly(const char *path, const struct stat *status, int kind)
{
    return visit(path, status, kind, NULL);
}

static struct tree_walk *begin_walk(struct tree_walk *walk)
{
    struct tree_walk *outer = current;
    walk->is_recorded = call_begin_from(&walk->call, walk->function, walk->frame);
    current = walk;
    return outer;
}

static int end_walk(struct tree_walk *walk, struct tree_walk *outer, const char *path, int result)
{
    // The end of a walk is one only where the program did not end it, by another result.
    put_step(walk, path, result);
    current = outer;
    return result;
}

WRAPPED(nftw, "nftw", LAYER_POSIX, "nftw", "pr");
DECLARED(int, nftw, (const char *path, visit_function *function, int most, int flags));
EXPORTED int recorded_nftw(const char *path, visit_function *function, int most, int flags)
{
    int (*real)(const char *, visit_function *, int, int) = (int (*)(const char *, visit_function *, int, int))REAL_OF(nftw);
    struct tree_walk walk = {.visit = function, .function = &function_nftw, .frame = __builtin_frame_address(0)};
    struct tree_walk *outer = begin_walk(&walk);
    return end_walk(&walk, outer, path, real(path, visit, most, flags));
}
ALIAS(nftw64, nftw);

WRAPPED(ftw, "ftw", LAYER_POSIX, "ftw", "pr");
DECLARED(int, ftw, (const char *path, __ftw_func_t function, int most));
EXPORTED int recorded_ftw(const char *path, __ftw_func_t function, int most)
{
    int (*real)(const char *, __ftw_func_t, int) = (int (*)(const char *, __ftw_func_t, int))REAL_OF(ftw);
    // What is given beyond the parameters of a function is not looked at.
    struct tree_walk walk = {.visit = (visit_function *)(void *)function, .function = &function_ftw, .frame = __builtin_frame_address(0)};
    struct tree_walk *outer = begin_walk(&walk);
    return end_walk(&walk, outer, path, real(path, visit_plainly, most));
}
ALIAS(ftw64, ftw);

/* ---- fts ---- */

#ifdef FTS_PHYSICAL
typedef int compare_function(const FTSENT **, const FTSENT **);

/* The end is no failure: errno says which it is. */
#define PUT_ENTRY(path_of_entry)                                                                                       \
    put_text(&call, result == NULL ? NULL : path_of_entry);                                                            \
    put_result(&call, result != NULL ? 1 : call.error == 0 ? 0 : -1);

AT_PATH(FTS *, fts_open, "fts_open", "pr", (char *const *paths, int flags, compare_function *compare),
        (paths, flags, compare), PUT_PATH_OF_POINTER(paths[0]) PUT_POINTER_RESULT());
ALIAS(fts64_open, fts_open);
AT_PATH(FTSENT *, fts_read, "fts_read", "pr", (FTS * walk), (walk), PUT_ENTRY(result->fts_path));
ALIAS(fts64_read, fts_read);
AT_PATH(FTSENT *, fts_children, "fts_children", "pr", (FTS * walk, int flags), (walk, flags), PUT_ENTRY(result->fts_path));
ALIAS(fts64_children, fts_children);
AT_PATH(int, fts_close, "fts_close", "r", (FTS * walk), (walk), PUT_RESULT());
ALIAS(fts64_close, fts_close);
#endif

/* ---- glob ---- */

#define MOST_FOLDER 512

/* The folder in which a pattern begins; the pattern itself where that is too long. */
static void put_folder(struct call *call, const char *pattern)
{
    char folder[MOST_FOLDER] = ".";
    size_t bytes = 0;
    for (size_t i = 0; pattern[i] != 0 && strchr("*?[{", pattern[i]) == NULL; i++)
        if (pattern[i] == '/') bytes = i + 1;
    if (bytes > 0 && bytes < sizeof folder) {
        // The folder `/` is the slash itself.
        size_t kept = bytes > 1 ? bytes - 1 : 1;
        copy_bytes(folder, pattern, kept);
        folder[kept] = 0;
    }
    put_text(call, bytes < sizeof folder ? folder : pattern);
}

typedef int failed_function(const char *path, int error);

/* One that reads folders by functions of the program's is recorded by what these call. */
static bool begin_glob(struct call *call, struct function *function, int flags, void *frame)
{
    return (flags & GLOB_ALTDIRFUNC) == 0 && call_begin_from(call, function, frame);
}

/* No file of such a name is no failure. */
WRAPPER(LAYER_POSIX, int, glob, "glob", "pr", (const char *pattern, int flags, failed_function *failed, void *found),
        (pattern, flags, failed, found), begin_glob(&call, &function_glob, flags, __builtin_frame_address(0)),
        put_folder(&call, pattern); put_result(&call, result == 0 || result == GLOB_NOMATCH ? 0 : -1););
ALIAS(glob64, glob);
