/*
 * Which MPI library a process uses. Open MPI's predefined handles are addresses of its objects; MPICH's are numbers that
 * all libraries with its binary interface share (Intel MPI, Cray MPICH, MVAPICH, ParaStation); those of the standard's
 * own binary interface (MPI 5.0, chapter 20) are small numbers, and its library has a name of its own.
 */
#include "library.h"
#include <dlfcn.h>

enum { LOOKED_FOR = 1, FOUND, NOT_KNOWN };

static struct mpi_library library;
static int state;

static void set_common(struct mpi_library *mpi)
{
    // Open MPI and MPICH agree on these.
    mpi->create = 1;
    mpi->write_only = 4;
    mpi->read_write = 8;
    mpi->exclusive = 64;
    mpi->append = 128;
    mpi->sequential = 256;
    mpi->seek_set = 600;
    mpi->seek_current = 602;
    mpi->seek_end = 604;
}

/* An object of the library. Programs that are no shared libraries have it copied into themselves: theirs is the one. */
static uintptr_t object(const char *name, void *caller)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    return (uintptr_t)(found != NULL ? found : other_function(name, caller));
}

static bool is_open_mpi(struct mpi_library *mpi, void *caller)
{
    mpi->world = object("ompi_mpi_comm_world", caller);
    if (mpi->world == 0) return false;
    set_common(mpi);
    mpi->byte_type = object("ompi_mpi_byte", caller);
    mpi->no_request = object("ompi_request_null", caller);
    mpi->no_process = -2;
    mpi->status_bytes = 24;
    mpi->status_error_at = 8;
    return true;
}

static bool is_standard(struct mpi_library *mpi, const void *function)
{
    Dl_info info;
    if (dladdr(function, &info) == 0 || info.dli_fname == NULL || strstr(info.dli_fname, "mpi_abi") == NULL)
        return false;
    mpi->world = 257;
    mpi->byte_type = 583;
    mpi->no_request = 384;
    mpi->no_process = -2;
    mpi->status_bytes = 32;
    mpi->status_error_at = 8;
    mpi->append = 1;
    mpi->create = 2;
    mpi->exclusive = 8;
    mpi->read_write = 32;
    mpi->sequential = 64;
    mpi->write_only = 256;
    mpi->seek_current = 401;
    mpi->seek_end = 402;
    mpi->seek_set = 403;
    return true;
}

static bool is_mpich(struct mpi_library *mpi)
{
    static const char *const NAMES[] = {"MPICH", "Intel(R) MPI", "MVAPICH", "ParaStation"};
    static char version[MOST_VERSION_BYTES];
    int length = 0;
    if (mpi->library_version == NULL || mpi->library_version(version, &length) != 0) return false;
    bool is_known = false;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) is_known |= strstr(version, NAMES[i]) != NULL;
    if (!is_known) return false;
    set_common(mpi);
    mpi->has_short_handles = true;
    mpi->world = 0x44000000;
    mpi->byte_type = 0x4c00010d;
    mpi->no_request = 0x2c000000;
    mpi->no_process = -1;
    mpi->no_status = (void *)1;
    mpi->status_bytes = 20;
    mpi->status_error_at = 16;
    return true;
}

#define FIND(member, name) *(void **)(void *)&mpi->member = other_function(name, caller)

/* False when one is missing that nothing can be told without. */
static bool find_functions(struct mpi_library *mpi, void *caller)
{
    FIND(initialized, "PMPI_Initialized");
    FIND(finalized, "PMPI_Finalized");
    FIND(library_version, "PMPI_Get_library_version");
    FIND(comm_rank, "PMPI_Comm_rank");
    FIND(comm_size, "PMPI_Comm_size");
    FIND(comm_test_inter, "PMPI_Comm_test_inter");
    FIND(comm_get_name, "PMPI_Comm_get_name");
    FIND(comm_group, "PMPI_Comm_group");
    FIND(group_translate_ranks, "PMPI_Group_translate_ranks");
    FIND(group_free, "PMPI_Group_free");
    FIND(type_size, "PMPI_Type_size");
    FIND(type_size_long, "PMPI_Type_size_x");
    if (mpi->type_size_long == NULL) FIND(type_size_long, "PMPI_Type_size_c");
    FIND(type_get_extent, "PMPI_Type_get_extent");
    FIND(type_get_true_extent, "PMPI_Type_get_true_extent");
    FIND(get_elements, "PMPI_Get_elements");
    FIND(get_elements_long, "PMPI_Get_elements_x");
    if (mpi->get_elements_long == NULL) FIND(get_elements_long, "PMPI_Get_elements_c");
    FIND(test_cancelled, "PMPI_Test_cancelled");
    FIND(file_get_position, "PMPI_File_get_position");
    return mpi->initialized != NULL && mpi->finalized != NULL && mpi->comm_rank != NULL && mpi->comm_size != NULL &&
           mpi->comm_get_name != NULL && mpi->comm_group != NULL && mpi->group_translate_ranks != NULL &&
           mpi->group_free != NULL && mpi->type_size != NULL && mpi->type_get_extent != NULL &&
           mpi->type_get_true_extent != NULL && mpi->get_elements != NULL && mpi->test_cancelled != NULL &&
           mpi->file_get_position != NULL;
}

static bool find(struct mpi_library *mpi, void *caller)
{
    if (!find_functions(mpi, caller)) return false;
    return is_open_mpi(mpi, caller) || is_standard(mpi, *(void **)(void *)&mpi->type_size) || is_mpich(mpi);
}

const struct mpi_library *mpi_library(void *caller)
{
    int now = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
    if (LIKELY(now == FOUND)) return &library;
    int expected = 0;
    if (now != 0) return NULL;
    // Another thread that calls MPI before this is done is not recorded: MPI is not yet initialised then.
    if (!__atomic_compare_exchange_n(&state, &expected, LOOKED_FOR, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return NULL;
    bool is_found = find(&library, caller);
    if (!is_found) note("The MPI library is none that the recorder knows: calls of MPI-IO and messages were not recorded.");
    __atomic_store_n(&state, is_found ? FOUND : NOT_KNOWN, __ATOMIC_RELEASE);
    return is_found ? &library : NULL;
}

int64_t mpi_type_bytes(const struct mpi_library *mpi, uintptr_t type)
{
    int64_t bytes = 0;
    if (LIKELY(mpi->type_size_long != NULL)) return mpi->type_size_long(type, &bytes) == 0 && bytes > 0 ? bytes : 0;
    int few = 0;
    return mpi->type_size(type, &few) == 0 && few > 0 ? few : 0;
}

bool mpi_is_contiguous(const struct mpi_library *mpi, uintptr_t type)
{
    int64_t bytes = mpi_type_bytes(mpi, type);
    intptr_t begin = -1, extent = -1, true_begin = -1, true_extent = -1;
    if (mpi->type_get_extent(type, &begin, &extent) != 0) return false;
    if (mpi->type_get_true_extent(type, &true_begin, &true_extent) != 0) return false;
    return begin == 0 && true_begin == 0 && extent == bytes && true_extent == bytes;
}

int64_t mpi_status_bytes(const struct mpi_library *mpi, const void *status)
{
    int64_t bytes = -1;
    if (LIKELY(mpi->get_elements_long != NULL))
        return mpi->get_elements_long(status, mpi->byte_type, &bytes) == 0 && bytes >= 0 ? bytes : -1;
    int few = -1;
    return mpi->get_elements(status, mpi->byte_type, &few) == 0 && few >= 0 ? few : -1;
}
