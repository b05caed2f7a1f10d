/* Messages from one process to another. Each function stands here with both of its names, and (`_c`, MPI 4) for large counts. */
#include "messages.h"

#define FOUR_NAMES(form, name, roles)                                                                                  \
    FUNCTION(MPI_##name, LAYER_MPI, roles);                                                                            \
    FUNCTION(PMPI_##name, LAYER_MPI, roles);                                                                           \
    FUNCTION(MPI_##name##_c, LAYER_MPI, roles);                                                                        \
    FUNCTION(PMPI_##name##_c, LAYER_MPI, roles);                                                                       \
    form(MPI_##name, MPI_##name, int)                                                                                  \
    form(PMPI_##name, MPI_##name, int)                                                                                 \
    form(MPI_##name##_c, MPI_##name##_c, int64_t)                                                                      \
    form(PMPI_##name##_c, MPI_##name##_c, int64_t)

/* The type counts once the call has succeeded. */
#define BYTES(count, type) (result == 0 ? message_bytes(mpi, count, type) : 0)

#define SENDS(symbol, recorded, counts)                                                                                \
    EXPORTED int symbol(const void *buffer, counts count, uintptr_t type, int to, int tag, uintptr_t communicator)     \
    {                                                                                                                  \
        REAL(symbol);                                                                                                  \
        struct call call;                                                                                              \
        const struct mpi_library *mpi = message_begin(&call, &function_##recorded);                                    \
        int result = real(buffer, count, type, to, tag, communicator);                                                 \
        if (mpi == NULL) return result;                                                                                \
        message_done(&call, mpi, communicator, (struct message){to, tag, BYTES(count, type)}, result);                 \
        return result;                                                                                                 \
    }

FOUR_NAMES(SENDS, Send, "ciamx")
FOUR_NAMES(SENDS, Bsend, "ciamx")
FOUR_NAMES(SENDS, Rsend, "ciamx")
FOUR_NAMES(SENDS, Ssend, "ciamx")

#define BEGINS_TO_SEND(symbol, recorded, counts)                                                                       \
    EXPORTED int symbol(const void *buffer, counts count, uintptr_t type, int to, int tag, uintptr_t communicator,     \
                        void *request)                                                                                 \
    {                                                                                                                  \
        REAL(symbol);                                                                                                  \
        struct call call;                                                                                              \
        const struct mpi_library *mpi = message_begin(&call, &function_##recorded);                                    \
        int result = real(buffer, count, type, to, tag, communicator, request);                                        \
        if (mpi == NULL) return result;                                                                                \
        struct message message = {to, tag, BYTES(count, type)};                                                        \
        message_begun(&call, mpi, communicator, message, false, request, result);                                      \
        return result;                                                                                                 \
    }

FOUR_NAMES(BEGINS_TO_SEND, Isend, "ciamqx")
FOUR_NAMES(BEGINS_TO_SEND, Ibsend, "ciamqx")
FOUR_NAMES(BEGINS_TO_SEND, Irsend, "ciamqx")
FOUR_NAMES(BEGINS_TO_SEND, Issend, "ciamqx")

/* The status that the library is to fill: one of ours where the program wants none. */
static inline void *filled_status(const struct mpi_library *mpi, void *status, uint64_t *own)
{
    if (mpi == NULL || status != mpi->no_status) return status;
    memset(own, 0, STATUS_ROOM);
    return own;
}

#define RECEIVES(symbol, recorded, counts)                                                                             \
    EXPORTED int symbol(void *buffer, counts count, uintptr_t type, int from, int tag, uintptr_t communicator,         \
                        void *status)                                                                                  \
    {                                                                                                                  \
        REAL(symbol);                                                                                                  \
        struct call call;                                                                                              \
        uint64_t own[STATUS_ROOM / 8];                                                                                 \
        const struct mpi_library *mpi = message_begin(&call, &function_##recorded);                                    \
        void *filled = filled_status(mpi, status, own);                                                                \
        int result = real(buffer, count, type, from, tag, communicator, filled);                                       \
        if (mpi == NULL) return result;                                                                                \
        struct message message = {from, tag, UNKNOWN};                                                                 \
        if (result == 0) message = message_received(mpi, filled);                                                      \
        message_done(&call, mpi, communicator, message, result);                                                       \
        return result;                                                                                                 \
    }

FOUR_NAMES(RECEIVES, Recv, "cIAMx")

#define BEGINS_TO_RECEIVE(symbol, recorded, counts)                                                                    \
    EXPORTED int symbol(void *buffer, counts count, uintptr_t type, int from, int tag, uintptr_t communicator,         \
                        void *request)                                                                                 \
    {                                                                                                                  \
        REAL(symbol);                                                                                                  \
        struct call call;                                                                                              \
        const struct mpi_library *mpi = message_begin(&call, &function_##recorded);                                    \
        int result = real(buffer, count, type, from, tag, communicator, request);                                      \
        if (mpi == NULL) return result;                                                                                \
        message_begun(&call, mpi, communicator, (struct message){from, tag, UNKNOWN}, true, request, result);          \
        return result;                                                                                                 \
    }

FOUR_NAMES(BEGINS_TO_RECEIVE, Irecv, "cIAMqx")

/* ---- there and back ---- */

static void exchanged(struct call *call, const struct mpi_library *mpi, uintptr_t communicator, struct message sent,
                      const void *status, int result)
{
    if (!call_end(call)) return;
    struct message received = {UNKNOWN, UNKNOWN, UNKNOWN};
    if (result == 0) received = message_received(mpi, status);
    put_communicator(call, mpi, communicator, result);
    put_message(call, mpi, sent);
    put_message(call, mpi, received);
    message_commit(call, result);
}

#define EXCHANGES(symbol, recorded, counts)                                                                            \
    EXPORTED int symbol(const void *sent, counts count, uintptr_t type, int to, int tag, void *received,               \
                        counts received_count, uintptr_t received_type, int from, int received_tag,                    \
                        uintptr_t communicator, void *status)                                                          \
    {                                                                                                                  \
        REAL(symbol);                                                                                                  \
        struct call call;                                                                                              \
        uint64_t own[STATUS_ROOM / 8];                                                                                 \
        const struct mpi_library *mpi = message_begin(&call, &function_##recorded);                                    \
        void *filled = filled_status(mpi, status, own);                                                                \
        int result = real(sent, count, type, to, tag, received, received_count, received_type, from, received_tag,     \
                          communicator, filled);                                                                       \
        if (mpi == NULL) return result;                                                                                \
        exchanged(&call, mpi, communicator, (struct message){to, tag, BYTES(count, type)}, filled, result);            \
        return result;                                                                                                 \
    }

FOUR_NAMES(EXCHANGES, Sendrecv, "ciamIAMx")

#define REPLACES(symbol, recorded, counts)                                                                             \
    EXPORTED int symbol(void *buffer, counts count, uintptr_t type, int to, int tag, int from, int received_tag,       \
                        uintptr_t communicator, void *status)                                                          \
    {                                                                                                                  \
        REAL(symbol);                                                                                                  \
        struct call call;                                                                                              \
        uint64_t own[STATUS_ROOM / 8];                                                                                 \
        const struct mpi_library *mpi = message_begin(&call, &function_##recorded);                                    \
        void *filled = filled_status(mpi, status, own);                                                                \
        int result = real(buffer, count, type, to, tag, from, received_tag, communicator, filled);                     \
        if (mpi == NULL) return result;                                                                                \
        exchanged(&call, mpi, communicator, (struct message){to, tag, BYTES(count, type)}, filled, result);            \
        return result;                                                                                                 \
    }

FOUR_NAMES(REPLACES, Sendrecv_replace, "ciamIAMx")

/* ---- waiting for what comes ---- */

#define WAITS(name, parameters, arguments)                                                                             \
    BOTH_NAMES_OF(LAYER_MPI, name, "x", parameters, arguments)                                                         \
    {                                                                                                                  \
        struct call call;                                                                                              \
        const struct mpi_library *mpi = message_begin(&call, function);                                                \
        int result = real arguments;                                                                                   \
        if (mpi != NULL) message_waited(&call, result);                                                                \
        return result;                                                                                                 \
    }                                                                                                                  \
    _Static_assert(1, "")

WAITS(Probe, (int from, int tag, uintptr_t communicator, void *status), (from, tag, communicator, status));
WAITS(Mprobe, (int from, int tag, uintptr_t communicator, void *message, void *status),
      (from, tag, communicator, message, status));
// Which communicator it came in only the one before knows.
WAITS(Mrecv, (void *buffer, int count, uintptr_t type, void *message, void *status),
      (buffer, count, type, message, status));

/* ---- memory of other processes ---- */

WAITS(Win_fence, (int assertion, uintptr_t window), (assertion, window));
WAITS(Win_start, (uintptr_t group, int assertion, uintptr_t window), (group, assertion, window));
WAITS(Win_complete, (uintptr_t window), (window));
WAITS(Win_wait, (uintptr_t window), (window));
WAITS(Win_lock, (int kind, int rank, int assertion, uintptr_t window), (kind, rank, assertion, window));
WAITS(Win_lock_all, (int assertion, uintptr_t window), (assertion, window));
WAITS(Win_unlock, (int rank, uintptr_t window), (rank, window));
WAITS(Win_unlock_all, (uintptr_t window), (window));
WAITS(Win_flush, (int rank, uintptr_t window), (rank, window));
WAITS(Win_flush_all, (uintptr_t window), (window));
