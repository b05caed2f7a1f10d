/* The layers NetCDF and PnetCDF: what their wrappers ask the libraries, and how their calls end. */
#include "netcdf.h"

const char *const netcdf_queries[MOST_QUERIES] = {
    [VARIABLE_NAME] = "nc_inq_varname",       [VARIABLE_TYPE] = "nc_inq_vartype",
    [VARIABLE_RANK] = "nc_inq_varndims",      [VARIABLE_DIMENSIONS] = "nc_inq_vardimid",
    [DIMENSION_LENGTH] = "nc_inq_dimlen",     [ATTRIBUTE_LENGTH] = "nc_inq_attlen",
    [ATTRIBUTE_TYPE] = "nc_inq_atttype",      [TYPE] = "nc_inq_type",
    [GROUP_NAME] = "nc_inq_grpname_full",
};
const char *const pnetcdf_queries[MOST_QUERIES] = {
    [VARIABLE_NAME] = "ncmpi_inq_varname",    [VARIABLE_TYPE] = "ncmpi_inq_vartype",
    [VARIABLE_RANK] = "ncmpi_inq_varndims",   [VARIABLE_DIMENSIONS] = "ncmpi_inq_vardimid",
    [DIMENSION_LENGTH] = "ncmpi_inq_dimlen",  [ATTRIBUTE_LENGTH] = "ncmpi_inq_attlen",
    [ATTRIBUTE_TYPE] = "ncmpi_inq_atttype",   [BYTES_PUT] = "ncmpi_inq_put_size",
    [BYTES_GOT] = "ncmpi_inq_get_size",
};

/* NC_MAX_NAME, NC_MAX_VAR_DIMS */
enum { MOST_NAME = 256, MOST_DIMENSIONS = 1024 };
/* For a group's name; longer ones are left out. */
enum { MOST_PATH = 1024 };

typedef int (*int_of_variable)(int file, int variable, int *value);
typedef int (*length_of_dimension)(int file, int dimension, uint64_t *length);
typedef int (*length_of_attribute)(int file, int variable, const char *name, uint64_t *length);
typedef int (*int_of_attribute)(int file, int variable, const char *name, int *value);
typedef int (*name_of_variable)(int file, int variable, char *name);
typedef int (*about_type)(int file, int type, char *name, uint64_t *size);
typedef int (*name_of_group)(int file, uint64_t *length, char *name);

/* NetCDF 4 puts the file in the upper half and the group in the lower one; other numbers are those of files. */
static bool has_groups(const struct library *library, int file)
{
    return library->layer == LAYER_NETCDF && file >= 1 << 16;
}

uint64_t netcdf_handle(const struct library *library, int file)
{
    if (file < 0) return 0;
    uint64_t number = has_groups(library, file) ? (uint64_t)file >> 16 : (uint64_t)file + 1;
    return number << 3 | (library->copy & 7);
}

/* ---- names ---- */

static size_t variable_path(const struct library *library, int file, int variable, char *path)
{
    size_t used = 0;
    path[0] = 0;
    if (has_groups(library, file) && (file & 0xffff) != 0 && library->queries[GROUP_NAME] != NULL) {
        name_of_group group = (name_of_group)library->queries[GROUP_NAME];
        uint64_t length = 0;
        if (group(file, &length, NULL) == 0 && length < MOST_PATH && group(file, &length, path) == 0) {
            used = strnlen(path, MOST_PATH);
            path[used++] = '/';
            path[used] = 0;
        }
    }
    if (variable != WHOLE_FILE && library->queries[VARIABLE_NAME] != NULL &&
        ((name_of_variable)library->queries[VARIABLE_NAME])(file, variable, path + used) != 0)
        path[used] = 0;
    return used + strnlen(path + used, MOST_NAME);
}

void put_variable(struct call *call, const struct library *library, int file, int variable)
{
    char path[MOST_PATH + MOST_NAME + 2];
    variable_path(library, file, variable, path);
    put_text(call, path);
}

void put_attribute(struct call *call, const struct library *library, int file, int variable, const char *name)
{
    char path[MOST_PATH + 2 * MOST_NAME + 4];
    size_t used = variable_path(library, file, variable, path);
    size_t length = name == NULL ? 0 : strnlen(name, MOST_NAME);
    path[used++] = ':';
    memcpy(path + used, name, length);
    path[used + length] = 0;
    put_text(call, path);
}

/* ---- sizes ---- */

uint64_t netcdf_type_size(const struct library *library, int file, int type)
{
    static const uint8_t SIZES[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8, sizeof(char *)};
    if (type >= 0 && type < (int)sizeof SIZES) return SIZES[type];
    uint64_t size = 0;
    if (library->queries[TYPE] == NULL || ((about_type)library->queries[TYPE])(file, type, NULL, &size) != 0) return 0;
    return size;
}

int netcdf_type_of_variable(const struct library *library, int file, int variable)
{
    int type = 0;
    if (library->queries[VARIABLE_TYPE] != NULL) ((int_of_variable)library->queries[VARIABLE_TYPE])(file, variable, &type);
    return type;
}

/* Values of a block along one dimension, whose count the call does not say. */
static uint64_t values_along(const struct library *library, int file, int dimension, int at, struct selection selection)
{
    uint64_t length = 0;
    if (((length_of_dimension)library->queries[DIMENSION_LENGTH])(file, dimension, &length) != 0) return 0;
    if (selection.shape == ALL) return length;
    uint64_t start = selection.start == NULL ? 0 : selection.start[at];
    uint64_t stride = selection.stride == NULL || selection.stride[at] < 1 ? 1 : (uint64_t)selection.stride[at];
    return start >= length ? 0 : (length - start + stride - 1) / stride;
}

static bool dimensions_of(const struct library *library, int file, int variable, int *dimensions)
{
    void *const *queries = library->queries;
    if (queries[VARIABLE_DIMENSIONS] == NULL || queries[DIMENSION_LENGTH] == NULL) return false;
    return ((int_of_variable)queries[VARIABLE_DIMENSIONS])(file, variable, dimensions) == 0;
}

uint64_t netcdf_values(const struct library *library, int file, int variable, struct selection selection)
{
    int rank = 0, dimensions[MOST_DIMENSIONS];
    if (selection.shape == ONE) return 1;
    if (library->queries[VARIABLE_RANK] == NULL) return 0;
    if (((int_of_variable)library->queries[VARIABLE_RANK])(file, variable, &rank) != 0 || rank > MOST_DIMENSIONS) return 0;
    bool is_counted = selection.shape == BLOCK && selection.count != NULL;
    if (!is_counted && !dimensions_of(library, file, variable, dimensions)) return 0;
    uint64_t values = 1;
    for (int i = 0; i < rank; i++)
        values *= is_counted ? selection.count[i] : values_along(library, file, dimensions[i], i, selection);
    return values;
}

static uint64_t values_of_attribute(const struct library *library, int file, int variable, const char *name)
{
    uint64_t length = 0;
    if (library->queries[ATTRIBUTE_LENGTH] == NULL) return 0;
    return ((length_of_attribute)library->queries[ATTRIBUTE_LENGTH])(file, variable, name, &length) == 0 ? length : 0;
}

static int type_of_attribute(const struct library *library, int file, int variable, const char *name)
{
    int type = 0;
    if (library->queries[ATTRIBUTE_TYPE] != NULL)
        ((int_of_attribute)library->queries[ATTRIBUTE_TYPE])(file, variable, name, &type);
    return type;
}

/* ---- ends of calls: the libraries are asked after them, when they have read what they need to answer ---- */

void netcdf_opened(struct call *call, const struct library *library, const char *path, unsigned flags, const int *file, int result)
{
    if (!call_end(call)) return;
    put_text(call, path);
    put(call, flags);
    put(call, result == 0 && file != NULL ? netcdf_handle(library, *file) : 0);
    put_signed(call, result);
    call_commit(call);
}

void netcdf_done(struct call *call, const struct library *library, int file, int result)
{
    if (!call_end(call)) return;
    put(call, netcdf_handle(library, file));
    put_signed(call, result);
    call_commit(call);
}

void netcdf_done_named(struct call *call, const struct library *library, int file, const char *name, int result)
{
    if (!call_end(call)) return;
    put(call, netcdf_handle(library, file));
    put_text(call, name);
    put_signed(call, result);
    call_commit(call);
}

void netcdf_done_attribute(struct call *call, const struct library *library, int file, int variable, const char *name, int result)
{
    if (!call_end(call)) return;
    struct questions questions = questions_begin();
    put(call, netcdf_handle(library, file));
    put_attribute(call, library, file, variable, name);
    put_signed(call, result);
    questions_end(questions);
    call_commit(call);
}

void netcdf_moved(struct call *call, const struct library *library, int file, int variable, struct selection selection,
                  uint64_t size, int result)
{
    if (!call_end(call)) return;
    struct questions questions = questions_begin();
    put(call, netcdf_handle(library, file));
    put_variable(call, library, file, variable);
    if (result != 0) size = 0;
    else if (size == 0) size = netcdf_type_size(library, file, netcdf_type_of_variable(library, file, variable));
    put(call, size == 0 ? 0 : size * netcdf_values(library, file, variable, selection));
    put_signed(call, result);
    questions_end(questions);
    call_commit(call);
}

void netcdf_moved_attribute(struct call *call, const struct library *library, int file, int variable, const char *name,
                            int64_t values, uint64_t size, int type, int result)
{
    if (!call_end(call)) return;
    struct questions questions = questions_begin();
    put(call, netcdf_handle(library, file));
    put_attribute(call, library, file, variable, name);
    if (result != 0) size = 0;
    else if (size == 0)
        size = netcdf_type_size(library, file, type != 0 ? type : type_of_attribute(library, file, variable, name));
    uint64_t count = values >= 0 || size == 0 ? (uint64_t)values : values_of_attribute(library, file, variable, name);
    put(call, size == 0 ? 0 : size * count);
    put_signed(call, result);
    questions_end(questions);
    call_commit(call);
}
