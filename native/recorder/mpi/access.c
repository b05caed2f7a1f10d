#include "access.h"
#include "requests.h"

/* Bytes asked for. A type is looked at only when the call succeeded: asking about one that is none ends programs. */
static int64_t bytes_asked(const struct access *access, int64_t count, uintptr_t type, int result)
{
    return result != 0 || count <= 0 ? 0 : count * mpi_type_bytes(access->mpi, type);
}

static int64_t bytes_moved(const struct access *access, int64_t asked)
{
    if (access->transfer == WRITES || asked == 0) return asked;
    int64_t moved = mpi_status_bytes(access->mpi, access->status);
    return moved < 0 || moved > asked ? asked : moved;
}

/* The individual file pointer moves by what was asked for, unless something went wrong: then the library knows. */
static void advance(struct access *access, int64_t bytes, bool is_sure)
{
    struct mpi_file *file = access->file;
    if (access->place != INDIVIDUAL || file == NULL) return;
    if (!is_sure || file->unit <= 0 || file->position < 0) mpi_file_locate(access->mpi, file);
    else __atomic_fetch_add(&file->position, bytes / file->unit, __ATOMIC_RELAXED);
}

/* Letters `hoen`, without the offset where processes share it. */
static void put_access(struct access *access, int64_t asked)
{
    struct call *call = &access->call;
    put_pointer(call, (const void *)access->handle);
    if (access->place != SHARED) put_mpi_offset(call, access->file, access->offset);
    put(call, (uint64_t)asked);
}

void access_done(struct access *access, int64_t count, uintptr_t type, int result)
{
    struct call *call = &access->call;
    if (!call_end(call)) return;
    int64_t asked = bytes_asked(access, count, type, result);
    int64_t moved = bytes_moved(access, asked);
    put_access(access, asked);
    put(call, (uint64_t)moved);
    put_signed(call, result);
    call_commit(call);
    advance(access, asked, result == 0 && moved == asked);
}

/* Letters `hoenqx` and what follows from them. */
static void commit_begun(struct access *access, int64_t asked, uint64_t number, int result)
{
    struct call *call = &access->call;
    put_access(access, asked);
    put(call, number);
    put_signed(call, result);
    call_commit(call);
    advance(access, asked, result == 0);
}

void access_requested(struct access *access, int64_t count, uintptr_t type, int result, const void *request)
{
    if (!call_end(&access->call)) return;
    int64_t asked = bytes_asked(access, count, type, result);
    uintptr_t handle = result == 0 ? handle_at(access->mpi, request) : access->mpi->no_request;
    bool is_complete = result == 0 && handle == access->mpi->no_request;
    uint64_t number = 0;
    if (is_complete) number = new_request_number();
    else if (result == 0) number = mpi_request_begun(handle, asked, access->transfer == READS);
    commit_begun(access, asked, number, result);
    if (is_complete) mark_complete(number, asked);
}

void access_split(struct access *access, int64_t count, uintptr_t type, int result)
{
    if (!call_end(&access->call)) return;
    int64_t asked = bytes_asked(access, count, type, result);
    uint64_t number = result == 0 && access->file != NULL ? new_request_number() : 0;
    commit_begun(access, asked, number, result);
    if (number == 0) return;
    access->file->split_request = number;
    access->file->split_bytes = asked;
}

void access_ended(struct access *access, int result)
{
    struct call *call = &access->call;
    if (!call_end(call)) return;
    put_pointer(call, (const void *)access->handle);
    put_signed(call, result);
    call_commit(call);
    struct mpi_file *file = access->file;
    if (file == NULL || file->split_request == 0) return;
    int64_t moved = result == 0 ? bytes_moved(access, file->split_bytes) : 0;
    mark_complete(file->split_request, moved);
    file->split_request = 0;
    if (access->place == INDIVIDUAL && moved != file->split_bytes) mpi_file_locate(access->mpi, file);
}
