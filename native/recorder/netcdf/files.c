/* The layer NetCDF: files, groups, dimensions and variables. Communicators and other handles of MPI are passed on as they are. */
#include "netcdf.h"

/* NC_WRITE, NC_NOCLOBBER */
enum { FOR_WRITING = 1, EXCLUSIVE = 4 };

#define MAKES(name, parameters, arguments)                                                                             \
    NETCDF_CALL(name, LAYER_NETCDF, "plhx", parameters, arguments,                                                     \
                netcdf_opened(&call, site->library, path, flags_of_create((mode & EXCLUSIVE) != 0), file, result))
#define OPENS(name, parameters, arguments)                                                                             \
    NETCDF_CALL(name, LAYER_NETCDF, "plhx", parameters, arguments,                                                     \
                netcdf_opened(&call, site->library, path, flags_of_open((mode & FOR_WRITING) != 0), file, result))

MAKES(nc_create, (const char *path, int mode, int *file), (path, mode, file))
MAKES(nc__create, (const char *path, int mode, size_t size, size_t *buffer, int *file), (path, mode, size, buffer, file))
MAKES(nc__create_mp, (const char *path, int mode, size_t size, int base, size_t *buffer, int *file),
      (path, mode, size, base, buffer, file))
MAKES(nc_create_par, (const char *path, int mode, uintptr_t communicator, uintptr_t information, int *file),
      (path, mode, communicator, information, file))
MAKES(nc_create_par_fortran, (const char *path, int mode, int communicator, int information, int *file),
      (path, mode, communicator, information, file))
OPENS(nc_open, (const char *path, int mode, int *file), (path, mode, file))
OPENS(nc__open, (const char *path, int mode, size_t *buffer, int *file), (path, mode, buffer, file))
OPENS(nc__open_mp, (const char *path, int mode, int base, size_t *buffer, int *file), (path, mode, base, buffer, file))
OPENS(nc_open_par, (const char *path, int mode, uintptr_t communicator, uintptr_t information, int *file),
      (path, mode, communicator, information, file))
OPENS(nc_open_par_fortran, (const char *path, int mode, int communicator, int information, int *file),
      (path, mode, communicator, information, file))

#define DOES(name, parameters, arguments)                                                                              \
    NETCDF_CALL(name, LAYER_NETCDF, "hx", parameters, arguments, netcdf_done(&call, site->library, file, result))
#define DOES_NAMED(the_name, parameters, arguments)                                                                    \
    NETCDF_CALL(the_name, LAYER_NETCDF, "hNx", parameters, arguments,                                                  \
                netcdf_done_named(&call, site->library, file, name, result))
#define DOES_ATTRIBUTE(the_name, parameters, arguments)                                                                \
    NETCDF_CALL(the_name, LAYER_NETCDF, "hNx", parameters, arguments,                                                  \
                netcdf_done_attribute(&call, site->library, file, variable, name, result))

DOES(nc_close, (int file), (file))
DOES(nc_abort, (int file), (file))
DOES(nc_sync, (int file), (file))
DOES(nc_redef, (int file), (file))
DOES(nc_enddef, (int file), (file))
DOES(nc__enddef, (int file, size_t header, size_t alignment, size_t between, size_t records),
     (file, header, alignment, between, records))
DOES_NAMED(nc_def_dim, (int file, const char *name, size_t length, int *dimension), (file, name, length, dimension))
DOES_NAMED(nc_def_grp, (int file, const char *name, int *group), (file, name, group))
DOES_NAMED(nc_def_var, (int file, const char *name, int type, int rank, const int *dimensions, int *variable),
           (file, name, type, rank, dimensions, variable))
DOES_NAMED(nc_rename_dim, (int file, int dimension, const char *name), (file, dimension, name))
DOES_NAMED(nc_rename_grp, (int file, const char *name), (file, name))
DOES_NAMED(nc_rename_var, (int file, int variable, const char *name), (file, variable, name))
DOES_ATTRIBUTE(nc_rename_att, (int file, int variable, const char *before, const char *name), (file, variable, before, name))
DOES_ATTRIBUTE(nc_del_att, (int file, int variable, const char *name), (file, variable, name))
NETCDF_CALL(nc_copy_att, LAYER_NETCDF, "hNx", (int source, int from, const char *name, int file, int variable),
            (source, from, name, file, variable),
            netcdf_done_attribute(&call, site->library, file, variable, name, result))

/* Whether the processes move a variable together (1) or each for itself (0). */
FUNCTION(nc_var_par_access, LAYER_NETCDF, "hNkx");
EXPORTED int nc_var_par_access(int file, int variable, int access)
{
    LINKED(nc_var_par_access);
    struct call call;
    if (!call_begin(&call, &function_nc_var_par_access)) return real(file, variable, access);
    int result = real(file, variable, access);
    if (call_end(&call)) {
        struct questions questions = questions_begin();
        put(&call, netcdf_handle(site->library, file));
        put_variable(&call, site->library, file, variable);
        put(&call, (unsigned)access);
        put_signed(&call, result);
        questions_end(questions);
        call_commit(&call);
    }
    return result;
}

FUNCTION(nc_delete, LAYER_NETCDF, "px");
EXPORTED int nc_delete(const char *path)
{
    LINKED(nc_delete);
    struct call call;
    if (!call_begin(&call, &function_nc_delete)) return real(path);
    int result = real(path);
    if (call_end(&call)) {
        put_text(&call, path);
        put_signed(&call, result);
        call_commit(&call);
    }
    return result;
}
