#include "files.h"
#include "handles.h"

HANDLE_TABLE(files, struct mpi_file, 1024);

struct mpi_file *mpi_file(uintptr_t handle)
{
    return handle_find(&files, handle, NULL);
}

void mpi_file_opened(const struct mpi_library *mpi, uintptr_t handle, int mode)
{
    mpi_file_closed(handle);
    struct mpi_file *file = handle_add(&files, handle);
    if (file == NULL) return;
    file->unit = 1;
    file->is_contiguous = true;
    file->is_sequential = (mode & mpi->sequential) != 0;
    handle_publish(file, handle);
    if ((mode & mpi->append) != 0) mpi_file_locate(mpi, file);
}

void mpi_file_closed(uintptr_t handle)
{
    struct mpi_file *file = mpi_file(handle);
    if (file != NULL) handle_remove(file);
}

void mpi_file_locate(const struct mpi_library *mpi, struct mpi_file *file)
{
    int64_t position = -1;
    if (file->is_sequential || mpi->file_get_position(file->handle, &position) != 0) position = -1;
    __atomic_store_n(&file->position, position, __ATOMIC_RELAXED);
}

void put_mpi_offset(struct call *call, const struct mpi_file *file, int64_t offset)
{
    put_signed(call, offset);
    put(call, file == NULL ? 1 : (uint64_t)file->unit);
    put(call, file == NULL || file->is_contiguous);
}
