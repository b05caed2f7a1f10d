/* The layer PnetCDF: how many bytes its calls move. */
#include "pnetcdf.h"

static uint64_t size_of_value(const struct library *library, int file, int variable, uint64_t size)
{
    return size != 0 ? size : netcdf_type_size(library, file, netcdf_type_of_variable(library, file, variable));
}

uint64_t pnetcdf_bytes(const struct library *library, int file, int variable, struct selection selection, uint64_t size)
{
    struct questions questions = questions_begin();
    uint64_t bytes = netcdf_values(library, file, variable, selection) * size_of_value(library, file, variable, size);
    questions_end(questions);
    return bytes;
}

uint64_t pnetcdf_bytes_of_blocks(const struct library *library, int file, int variable, int blocks,
                                 const uint64_t *const *counts, uint64_t size)
{
    uint64_t bytes = 0;
    for (int i = 0; i < blocks; i++) {
        const uint64_t *count = counts == NULL ? NULL : counts[i];
        struct selection block = {count == NULL ? ONE : BLOCK, NULL, count, NULL};
        bytes += pnetcdf_bytes(library, file, variable, block, size);
    }
    return bytes;
}

void pnetcdf_moved(struct call *call, const struct library *library, int file, int variable, uint64_t bytes, int result)
{
    struct questions questions = questions_begin();
    put(call, netcdf_handle(library, file));
    put_variable(call, library, file, variable);
    put(call, result == 0 ? bytes : 0);
    put_signed(call, result);
    questions_end(questions);
    call_commit(call);
}
