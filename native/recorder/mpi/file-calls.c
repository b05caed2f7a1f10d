/* MPI-IO: opening and closing, views, pointers, sizes. */
#include "communicators.h"
#include "files.h"
#include "wrappers.h"
#include <fcntl.h>

/* The modes of MPI as flags of open(2). */
static unsigned open_flags(const struct mpi_library *mpi, int mode)
{
    unsigned flags = (mode & mpi->read_write) != 0 ? O_RDWR : (mode & mpi->write_only) != 0 ? O_WRONLY : O_RDONLY;
    if ((mode & mpi->create) != 0) flags |= O_CREAT;
    if ((mode & mpi->exclusive) != 0) flags |= O_EXCL;
    if ((mode & mpi->append) != 0) flags |= O_APPEND;
    return flags;
}

static uint64_t whence_of(const struct mpi_library *mpi, int whence)
{
    return whence == mpi->seek_current ? SEEK_CUR : whence == mpi->seek_end ? SEEK_END : SEEK_SET;
}

static void put_file(struct call *call, uintptr_t file)
{
    put_pointer(call, (const void *)file);
}

static void commit(struct call *call, int result)
{
    put_signed(call, result);
    call_commit(call);
}

BOTH_NAMES(File_open, "cplhx",
           (uintptr_t communicator, const char *path, int mode, uintptr_t info, uintptr_t *file),
           (communicator, path, mode, info, file))
{
    struct call call;
    const struct mpi_library *mpi = mpi_call_begin(&call, function);
    if (mpi == NULL) return real(communicator, path, mode, info, file);
    int result = real(communicator, path, mode, info, file);
    if (!call_end(&call)) return result;
    define_world(mpi);
    communicator = handle_of(mpi, communicator);
    // One that the library refused may be none.
    put(&call, result == 0 ? communicator_number(mpi, communicator) : communicator_known(communicator));
    put_text(&call, path);
    put(&call, open_flags(mpi, mode));
    if (result == 0) put_file(&call, *file);
    else put(&call, 0);
    commit(&call, result);
    if (result == 0) mpi_file_opened(mpi, *file, mode);
    return result;
}

BOTH_NAMES(File_close, "hx", (uintptr_t *file), (file))
{
    struct call call;
    if (mpi_call_begin(&call, function) == NULL) return real(file);
    uintptr_t handle = *file;
    // Before: another thread may be given the handle at once.
    mpi_file_closed(handle);
    int result = real(file);
    if (call_end(&call)) {
        put_file(&call, handle);
        commit(&call, result);
    }
    return result;
}

BOTH_NAMES(File_delete, "px", (const char *path, uintptr_t info), (path, info))
{
    struct call call;
    if (mpi_call_begin(&call, function) == NULL) return real(path, info);
    int result = real(path, info);
    if (call_end(&call)) {
        put_text(&call, path);
        commit(&call, result);
    }
    return result;
}

/* ---- views ---- */

BOTH_NAMES(File_set_view, "htex",
           (uintptr_t file, int64_t begin, uintptr_t unit, uintptr_t type, const char *representation, uintptr_t info),
           (file, begin, unit, type, representation, info))
{
    struct call call;
    const struct mpi_library *mpi = mpi_call_begin(&call, function);
    if (mpi == NULL) return real(file, begin, unit, type, representation, info);
    int result = real(file, begin, unit, type, representation, info);
    if (!call_end(&call)) return result;
    struct mpi_file *known = mpi_file(file);
    if (result == 0 && known != NULL) {
        known->unit = mpi_type_bytes(mpi, unit);
        known->is_contiguous = mpi_is_contiguous(mpi, type);
        known->position = 0;
    }
    put_file(&call, file);
    put_signed(&call, begin);
    put(&call, known == NULL ? 1 : (uint64_t)known->unit);
    put(&call, known == NULL || known->is_contiguous);
    commit(&call, result);
    return result;
}

BOTH_NAMES(File_get_view, "htx",
           (uintptr_t file, int64_t *begin, void *unit, void *type, char *representation),
           (file, begin, unit, type, representation))
{
    struct call call;
    if (mpi_call_begin(&call, function) == NULL) return real(file, begin, unit, type, representation);
    int result = real(file, begin, unit, type, representation);
    if (call_end(&call)) {
        put_file(&call, file);
        put_signed(&call, result == 0 ? *begin : 0);
        commit(&call, result);
    }
    return result;
}

/* ---- pointers ---- */

BOTH_NAMES(File_seek, "hoewOx", (uintptr_t file, int64_t offset, int whence), (file, offset, whence))
{
    struct call call;
    const struct mpi_library *mpi = mpi_call_begin(&call, function);
    if (mpi == NULL) return real(file, offset, whence);
    int result = real(file, offset, whence);
    if (!call_end(&call)) return result;
    struct mpi_file *known = mpi_file(file);
    if (known != NULL && result == 0) {
        if (whence == mpi->seek_set) known->position = offset;
        else mpi_file_locate(mpi, known);
    }
    put_file(&call, file);
    put_mpi_offset(&call, known, offset);
    put(&call, whence_of(mpi, whence));
    put_signed(&call, known == NULL ? -1 : known->position);
    commit(&call, result);
    return result;
}

BOTH_NAMES(File_seek_shared, "hoewx", (uintptr_t file, int64_t offset, int whence), (file, offset, whence))
{
    struct call call;
    const struct mpi_library *mpi = mpi_call_begin(&call, function);
    if (mpi == NULL) return real(file, offset, whence);
    int result = real(file, offset, whence);
    if (call_end(&call)) {
        put_file(&call, file);
        put_mpi_offset(&call, mpi_file(file), offset);
        put(&call, whence_of(mpi, whence));
        commit(&call, result);
    }
    return result;
}

#define POSITION(name)                                                                                                 \
    BOTH_NAMES(File_##name, "hoex", (uintptr_t file, int64_t *offset), (file, offset))                                 \
    {                                                                                                                  \
        struct call call;                                                                                              \
        if (mpi_call_begin(&call, function) == NULL) return real(file, offset);                                        \
        int result = real(file, offset);                                                                               \
        if (call_end(&call)) {                                                                                         \
            put_file(&call, file);                                                                                     \
            put_mpi_offset(&call, mpi_file(file), result == 0 ? *offset : -1);                                         \
            commit(&call, result);                                                                                     \
        }                                                                                                              \
        return result;                                                                                                 \
    }

POSITION(get_position)
POSITION(get_position_shared)

/* ---- sizes ---- */

BOTH_NAMES(File_get_size, "hsx", (uintptr_t file, int64_t *size), (file, size))
{
    struct call call;
    if (mpi_call_begin(&call, function) == NULL) return real(file, size);
    int result = real(file, size);
    if (call_end(&call)) {
        put_file(&call, file);
        put_signed(&call, result == 0 ? *size : -1);
        commit(&call, result);
    }
    return result;
}

#define WITH_VALUE(name, values)                                                                                       \
    BOTH_NAMES(File_##name, "hvx", (uintptr_t file, values value), (file, value))                                      \
    {                                                                                                                  \
        struct call call;                                                                                              \
        if (mpi_call_begin(&call, function) == NULL) return real(file, value);                                         \
        int result = real(file, value);                                                                                \
        if (call_end(&call)) {                                                                                         \
            put_file(&call, file);                                                                                     \
            put_signed(&call, value);                                                                                  \
            commit(&call, result);                                                                                     \
        }                                                                                                              \
        return result;                                                                                                 \
    }

WITH_VALUE(set_size, int64_t)
WITH_VALUE(preallocate, int64_t)
WITH_VALUE(set_atomicity, int)

/* ---- others ---- */

BOTH_NAMES(File_sync, "hx", (uintptr_t file), (file))
{
    struct call call;
    if (mpi_call_begin(&call, function) == NULL) return real(file);
    int result = real(file);
    if (call_end(&call)) {
        put_file(&call, file);
        commit(&call, result);
    }
    return result;
}

BOTH_NAMES(File_set_info, "hx", (uintptr_t file, uintptr_t info), (file, info))
{
    struct call call;
    if (mpi_call_begin(&call, function) == NULL) return real(file, info);
    int result = real(file, info);
    if (call_end(&call)) {
        put_file(&call, file);
        commit(&call, result);
    }
    return result;
}
