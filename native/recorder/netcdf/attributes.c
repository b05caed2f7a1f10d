/* The layer NetCDF: values of attributes. */
#include "netcdf.h"

#define PUTS(the_name, parameters, arguments, values, size, type)                                                      \
    NETCDF_CALL(the_name, LAYER_NETCDF, "hNbx", parameters, arguments,                                                 \
                netcdf_moved_attribute(&call, site->library, file, variable, name, (int64_t)(values), size, type, result))

/* How many values there are is asked. */
#define GETS(the_name, values_type, size)                                                                              \
    PUTS(the_name, (int file, int variable, const char *name, values_type *values), (file, variable, name, values), -1, size, 0)

#define PUTS_TYPE(suffix, c_type)                                                                                      \
    PUTS(nc_put_att##suffix,                                                                                           \
         (int file, int variable, const char *name, int type, size_t count, const c_type *values),                     \
         (file, variable, name, type, count, values), count, sizeof(c_type), type)
#define GETS_TYPE(suffix, c_type) GETS(nc_get_att##suffix, c_type, sizeof(c_type))
#define OF_TYPE(suffix, c_type)                                                                                        \
    PUTS_TYPE(suffix, c_type)                                                                                          \
    GETS_TYPE(suffix, c_type)

OF_TYPE(_schar, signed char)
OF_TYPE(_uchar, unsigned char)
OF_TYPE(_ubyte, unsigned char)
OF_TYPE(_short, short)
OF_TYPE(_ushort, unsigned short)
OF_TYPE(_int, int)
OF_TYPE(_uint, unsigned int)
OF_TYPE(_long, long)
OF_TYPE(_float, float)
OF_TYPE(_double, double)
OF_TYPE(_longlong, long long)
OF_TYPE(_ulonglong, unsigned long long)
GETS_TYPE(_text, char)
GETS_TYPE(_string, char *)
GETS(nc_get_att, void, 0)
PUTS(nc_put_att, (int file, int variable, const char *name, int type, size_t count, const void *values),
     (file, variable, name, type, count, values), count, 0, type)
PUTS(nc_put_att_text, (int file, int variable, const char *name, size_t count, const char *values),
     (file, variable, name, count, values), count, sizeof(char), 0)
PUTS(nc_put_att_string, (int file, int variable, const char *name, size_t count, const char **values),
     (file, variable, name, count, values), count, sizeof(char *), 0)
