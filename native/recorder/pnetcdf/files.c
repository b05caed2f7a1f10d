/* The layer PnetCDF: files, dimensions, variables and attributes. */
#include "pnetcdf.h"

/* NC_WRITE, NC_NOCLOBBER */
enum { FOR_WRITING = 1, EXCLUSIVE = 4 };

PNETCDF_CALL(ncmpi_create, "plhx",
             (uintptr_t communicator, const char *path, int mode, uintptr_t information, int *file),
             (communicator, path, mode, information, file),
             netcdf_opened(&call, site->library, path, flags_of_create((mode & EXCLUSIVE) != 0), file, result))
PNETCDF_CALL(ncmpi_open, "plhx", (uintptr_t communicator, const char *path, int mode, uintptr_t information, int *file),
             (communicator, path, mode, information, file),
             netcdf_opened(&call, site->library, path, flags_of_open((mode & FOR_WRITING) != 0), file, result))

FUNCTION(ncmpi_delete, LAYER_PNETCDF, "px");
EXPORTED int ncmpi_delete(const char *path, uintptr_t information)
{
    LINKED(ncmpi_delete);
    struct call call;
    if (!call_begin(&call, &function_ncmpi_delete)) return real(path, information);
    int result = real(path, information);
    if (call_end(&call)) {
        put_text(&call, path);
        put_signed(&call, result);
        call_commit(&call);
    }
    return result;
}

#define DOES(name, parameters, arguments)                                                                              \
    PNETCDF_CALL(name, "hx", parameters, arguments, netcdf_done(&call, site->library, file, result))
#define DOES_NAMED(the_name, parameters, arguments)                                                                    \
    PNETCDF_CALL(the_name, "hNx", parameters, arguments, netcdf_done_named(&call, site->library, file, name, result))
#define DOES_ATTRIBUTE(the_name, parameters, arguments)                                                                \
    PNETCDF_CALL(the_name, "hNx", parameters, arguments,                                                               \
                 netcdf_done_attribute(&call, site->library, file, variable, name, result))

DOES(ncmpi_close, (int file), (file))
DOES(ncmpi_abort, (int file), (file))
DOES(ncmpi_sync, (int file), (file))
DOES(ncmpi_sync_numrecs, (int file), (file))
DOES(ncmpi_flush, (int file), (file))
DOES(ncmpi_redef, (int file), (file))
DOES(ncmpi_enddef, (int file), (file))
DOES(ncmpi__enddef, (int file, int64_t header, int64_t alignment, int64_t between, int64_t records),
     (file, header, alignment, between, records))
DOES(ncmpi_begin_indep_data, (int file), (file))
DOES(ncmpi_end_indep_data, (int file), (file))
DOES(ncmpi_buffer_attach, (int file, int64_t size), (file, size))
DOES(ncmpi_buffer_detach, (int file), (file))
DOES_NAMED(ncmpi_def_dim, (int file, const char *name, int64_t length, int *dimension), (file, name, length, dimension))
DOES_NAMED(ncmpi_def_var, (int file, const char *name, int type, int rank, const int *dimensions, int *variable),
           (file, name, type, rank, dimensions, variable))
DOES_NAMED(ncmpi_rename_dim, (int file, int dimension, const char *name), (file, dimension, name))
DOES_NAMED(ncmpi_rename_var, (int file, int variable, const char *name), (file, variable, name))
DOES_ATTRIBUTE(ncmpi_rename_att, (int file, int variable, const char *before, const char *name), (file, variable, before, name))
DOES_ATTRIBUTE(ncmpi_del_att, (int file, int variable, const char *name), (file, variable, name))
PNETCDF_CALL(ncmpi_copy_att, "hNx", (int source, int from, const char *name, int file, int variable),
             (source, from, name, file, variable),
             netcdf_done_attribute(&call, site->library, file, variable, name, result))
/* Writes the fill value wherever a record of the variable has none. */
PNETCDF_CALL(ncmpi_fill_var_rec, "hNbx", (int file, int variable, int64_t record), (file, variable, record),
             if (call_end(&call)) pnetcdf_moved(&call, site->library, file, variable, 0, result))

/* ---- values of attributes ---- */

#define PUTS(the_name, parameters, arguments, values, size, type)                                                      \
    PNETCDF_CALL(the_name, "hNbx", parameters, arguments,                                                              \
                 netcdf_moved_attribute(&call, site->library, file, variable, name, values, size, type, result))
/* How many values there are is asked. */
#define GETS(the_name, values_type, size)                                                                              \
    PUTS(the_name, (int file, int variable, const char *name, values_type *values), (file, variable, name, values), -1, size, 0)
#define OF_TYPE(suffix, c_type)                                                                                        \
    GETS(ncmpi_get_att##suffix, c_type, sizeof(c_type))                                                                \
    PUTS(ncmpi_put_att##suffix,                                                                                        \
         (int file, int variable, const char *name, int type, int64_t count, const c_type *values),                    \
         (file, variable, name, type, count, values), count, sizeof(c_type), type)

OF_TYPE(_schar, signed char)
OF_TYPE(_uchar, unsigned char)
OF_TYPE(_short, short)
OF_TYPE(_ushort, unsigned short)
OF_TYPE(_int, int)
OF_TYPE(_uint, unsigned int)
OF_TYPE(_long, long)
OF_TYPE(_float, float)
OF_TYPE(_double, double)
OF_TYPE(_longlong, long long)
OF_TYPE(_ulonglong, unsigned long long)
GETS(ncmpi_get_att_text, char, sizeof(char))
GETS(ncmpi_get_att, void, 0)
PUTS(ncmpi_put_att, (int file, int variable, const char *name, int type, int64_t count, const void *values),
     (file, variable, name, type, count, values), count, 0, type)
PUTS(ncmpi_put_att_text, (int file, int variable, const char *name, int64_t count, const char *values),
     (file, variable, name, count, values), count, sizeof(char), 0)
