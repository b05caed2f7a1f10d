/*
 * MPI-IO: reading and writing. Each function stands here with both of its names, and for counts of an int and (`_c`, MPI 4)
 * of 64 bits.
 */
#include "access.h"

#define FOUR_NAMES(form, name, roles, transfer, place)                                                                 \
    FUNCTION(MPI_File_##name, LAYER_MPI_IO, roles);                                                                    \
    FUNCTION(PMPI_File_##name, LAYER_MPI_IO, roles);                                                                   \
    FUNCTION(MPI_File_##name##_c, LAYER_MPI_IO, roles);                                                                \
    FUNCTION(PMPI_File_##name##_c, LAYER_MPI_IO, roles);                                                               \
    form(MPI_File_##name, MPI_File_##name, int, transfer, place)                                                       \
    form(PMPI_File_##name, MPI_File_##name, int, transfer, place)                                                      \
    form(MPI_File_##name##_c, MPI_File_##name##_c, int64_t, transfer, place)                                           \
    form(PMPI_File_##name##_c, MPI_File_##name##_c, int64_t, transfer, place)

/* ---- that return when the data are moved ---- */

#define AT_OFFSET(symbol, recorded, counts, transfer, place)                                                           \
    EXPORTED int symbol(uintptr_t file, int64_t offset, void *buffer, counts count, uintptr_t type, void *status)      \
    {                                                                                                                  \
        REAL(symbol);                                                                                                  \
        struct access access;                                                                                          \
        if (!access_begin(&access, &function_##recorded, file, transfer, place, offset))                               \
            return real(file, offset, buffer, count, type, status);                                                    \
        int result = real(file, offset, buffer, count, type, access_status(&access, status));                          \
        access_done(&access, count, type, result);                                                                     \
        return result;                                                                                                 \
    }

FOUR_NAMES(AT_OFFSET, read_at, "hoenbx", READS, GIVEN)
FOUR_NAMES(AT_OFFSET, read_at_all, "hoenbx", READS, GIVEN)
FOUR_NAMES(AT_OFFSET, write_at, "hoenbx", WRITES, GIVEN)
FOUR_NAMES(AT_OFFSET, write_at_all, "hoenbx", WRITES, GIVEN)

#define AT_POINTER(symbol, recorded, counts, transfer, place)                                                          \
    EXPORTED int symbol(uintptr_t file, void *buffer, counts count, uintptr_t type, void *status)                      \
    {                                                                                                                  \
        REAL(symbol);                                                                                                  \
        struct access access;                                                                                          \
        if (!access_begin(&access, &function_##recorded, file, transfer, place, 0))                                    \
            return real(file, buffer, count, type, status);                                                            \
        int result = real(file, buffer, count, type, access_status(&access, status));                                  \
        access_done(&access, count, type, result);                                                                     \
        return result;                                                                                                 \
    }

FOUR_NAMES(AT_POINTER, read, "hoenbx", READS, INDIVIDUAL)
FOUR_NAMES(AT_POINTER, read_all, "hoenbx", READS, INDIVIDUAL)
FOUR_NAMES(AT_POINTER, write, "hoenbx", WRITES, INDIVIDUAL)
FOUR_NAMES(AT_POINTER, write_all, "hoenbx", WRITES, INDIVIDUAL)
FOUR_NAMES(AT_POINTER, read_shared, "hnbx", READS, SHARED)
FOUR_NAMES(AT_POINTER, write_shared, "hnbx", WRITES, SHARED)
FOUR_NAMES(AT_POINTER, read_ordered, "hnbx", READS, SHARED)
FOUR_NAMES(AT_POINTER, write_ordered, "hnbx", WRITES, SHARED)

/* ---- that give a request ---- */

#define REQUEST_AT_OFFSET(symbol, recorded, counts, transfer, place)                                                   \
    EXPORTED int symbol(uintptr_t file, int64_t offset, void *buffer, counts count, uintptr_t type, void *request)     \
    {                                                                                                                  \
        REAL(symbol);                                                                                                  \
        struct access access;                                                                                          \
        bool is_recorded = access_begin(&access, &function_##recorded, file, transfer, place, offset);                 \
        int result = real(file, offset, buffer, count, type, request);                                                 \
        if (is_recorded) access_requested(&access, count, type, result, request);                                      \
        return result;                                                                                                 \
    }

FOUR_NAMES(REQUEST_AT_OFFSET, iread_at, "hoenqx", READS, GIVEN)
FOUR_NAMES(REQUEST_AT_OFFSET, iread_at_all, "hoenqx", READS, GIVEN)
FOUR_NAMES(REQUEST_AT_OFFSET, iwrite_at, "hoenqx", WRITES, GIVEN)
FOUR_NAMES(REQUEST_AT_OFFSET, iwrite_at_all, "hoenqx", WRITES, GIVEN)

#define REQUEST_AT_POINTER(symbol, recorded, counts, transfer, place)                                                  \
    EXPORTED int symbol(uintptr_t file, void *buffer, counts count, uintptr_t type, void *request)                     \
    {                                                                                                                  \
        REAL(symbol);                                                                                                  \
        struct access access;                                                                                          \
        bool is_recorded = access_begin(&access, &function_##recorded, file, transfer, place, 0);                      \
        int result = real(file, buffer, count, type, request);                                                         \
        if (is_recorded) access_requested(&access, count, type, result, request);                                      \
        return result;                                                                                                 \
    }

FOUR_NAMES(REQUEST_AT_POINTER, iread, "hoenqx", READS, INDIVIDUAL)
FOUR_NAMES(REQUEST_AT_POINTER, iread_all, "hoenqx", READS, INDIVIDUAL)
FOUR_NAMES(REQUEST_AT_POINTER, iwrite, "hoenqx", WRITES, INDIVIDUAL)
FOUR_NAMES(REQUEST_AT_POINTER, iwrite_all, "hoenqx", WRITES, INDIVIDUAL)
FOUR_NAMES(REQUEST_AT_POINTER, iread_shared, "hnqx", READS, SHARED)
FOUR_NAMES(REQUEST_AT_POINTER, iwrite_shared, "hnqx", WRITES, SHARED)

/* ---- that are begun by one call and ended by another ---- */

#define BEGIN_AT_OFFSET(symbol, recorded, counts, transfer, place)                                                     \
    EXPORTED int symbol(uintptr_t file, int64_t offset, void *buffer, counts count, uintptr_t type)                    \
    {                                                                                                                  \
        REAL(symbol);                                                                                                  \
        struct access access;                                                                                          \
        bool is_recorded = access_begin(&access, &function_##recorded, file, transfer, place, offset);                 \
        int result = real(file, offset, buffer, count, type);                                                          \
        if (is_recorded) access_split(&access, count, type, result);                                                   \
        return result;                                                                                                 \
    }

FOUR_NAMES(BEGIN_AT_OFFSET, read_at_all_begin, "hoenqx", READS, GIVEN)
FOUR_NAMES(BEGIN_AT_OFFSET, write_at_all_begin, "hoenqx", WRITES, GIVEN)

#define BEGIN_AT_POINTER(symbol, recorded, counts, transfer, place)                                                    \
    EXPORTED int symbol(uintptr_t file, void *buffer, counts count, uintptr_t type)                                    \
    {                                                                                                                  \
        REAL(symbol);                                                                                                  \
        struct access access;                                                                                          \
        bool is_recorded = access_begin(&access, &function_##recorded, file, transfer, place, 0);                      \
        int result = real(file, buffer, count, type);                                                                  \
        if (is_recorded) access_split(&access, count, type, result);                                                   \
        return result;                                                                                                 \
    }

FOUR_NAMES(BEGIN_AT_POINTER, read_all_begin, "hoenqx", READS, INDIVIDUAL)
FOUR_NAMES(BEGIN_AT_POINTER, write_all_begin, "hoenqx", WRITES, INDIVIDUAL)
FOUR_NAMES(BEGIN_AT_POINTER, read_ordered_begin, "hnqx", READS, SHARED)
FOUR_NAMES(BEGIN_AT_POINTER, write_ordered_begin, "hnqx", WRITES, SHARED)

#define END_OF_ACCESS(name, transfer, place)                                                                           \
    BOTH_NAMES(File_##name, "hx", (uintptr_t file, void *buffer, void *status), (file, buffer, status))                \
    {                                                                                                                  \
        struct access access;                                                                                          \
        if (!access_begin(&access, function, file, transfer, place, 0)) return real(file, buffer, status);             \
        int result = real(file, buffer, access_status(&access, status));                                               \
        access_ended(&access, result);                                                                                 \
        return result;                                                                                                 \
    }

END_OF_ACCESS(read_at_all_end, READS, GIVEN)
END_OF_ACCESS(write_at_all_end, WRITES, GIVEN)
END_OF_ACCESS(read_all_end, READS, INDIVIDUAL)
END_OF_ACCESS(write_all_end, WRITES, INDIVIDUAL)
END_OF_ACCESS(read_ordered_end, READS, SHARED)
END_OF_ACCESS(write_ordered_end, WRITES, SHARED)
