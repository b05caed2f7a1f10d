/*
 * What the processes of a communicator do together; letters `cim`: communicator, root (−1: none), and the bytes of one
 * process's share, of which the reader knows who sends and receives it, and how often. With `q` it is only begun.
 */
#include "messages.h"

/* Whose count and type are those of a share. */
enum share {
    /* Nothing is moved. */
    NO_SHARE,
    /* Given by all. */
    OF_ALL,
    /* The first pair (of what is sent) counts for all but the root, the second for the root; or the other way round. */
    SENT_BY_OTHERS,
    SENT_BY_ROOT,
    /* Of all but the root alone: the root gives a list. */
    SENT_BY_OTHERS_ALONE,
    RECEIVED_BY_OTHERS_ALONE,
    /* Lists. */
    NOT_TOLD
};

struct shares {
    enum share share;
    int64_t sent_count;
    uintptr_t sent_type;
    int64_t received_count;
    uintptr_t received_type;
};

/* Bytes of a share. Between two groups of processes other arguments count: nothing is asked then. */
static int64_t share_bytes(const struct mpi_library *mpi, const struct shares *shares,
                           const struct communicator_facts *facts, int root)
{
    if (shares->share == NO_SHARE) return 0;
    if (facts->number == 0 || facts->is_between_groups) return UNKNOWN;
    bool is_root = facts->rank == root;
    bool is_sent = false;
    switch (shares->share) {
    case OF_ALL:
        break;
    case SENT_BY_OTHERS:
        is_sent = !is_root;
        break;
    case SENT_BY_ROOT:
        is_sent = is_root;
        break;
    case SENT_BY_OTHERS_ALONE:
        if (is_root) return UNKNOWN;
        is_sent = true;
        break;
    case RECEIVED_BY_OTHERS_ALONE:
        if (is_root) return UNKNOWN;
        break;
    default:
        return UNKNOWN;
    }
    return is_sent ? message_bytes(mpi, shares->sent_count, shares->sent_type)
                   : message_bytes(mpi, shares->received_count, shares->received_type);
}

static void put_collective(struct call *call, const struct mpi_library *mpi, uintptr_t communicator, int root,
                           struct shares shares, int result)
{
    struct communicator_facts facts = {.number = 0};
    if (result == 0) facts = communicator_facts(mpi, handle_of(mpi, communicator));
    put(call, facts.number);
    put_signed(call, root < 0 ? UNKNOWN : root);
    put_signed(call, share_bytes(mpi, &shares, &facts, root));
}

static void collective_done(struct call *call, const struct mpi_library *mpi, uintptr_t communicator, int root,
                            struct shares shares, int result)
{
    if (!call_end(call)) return;
    put_collective(call, mpi, communicator, root, shares, result);
    message_commit(call, result);
}

static void collective_begun(struct call *call, const struct mpi_library *mpi, uintptr_t communicator, int root,
                             struct shares shares, const void *request, int result)
{
    if (!call_end(call)) return;
    put_collective(call, mpi, communicator, root, shares, result);
    message_commit_begun(call, mpi, 0, false, request, result);
}

#define NO_ROOT (-1)

/* Removes the parentheses around parameters or arguments and adds one more. */
#define AND(list, more) (WITHOUT_PARENTHESES list, more)

/* The call that returns when it is done, and the one (I…) that only begins. */
#define COLLECTIVE(name, begun, parameters, arguments, root, given)                                                    \
    BOTH_NAMES_OF(LAYER_MPI, name, "cimx", parameters, arguments)                                                      \
    {                                                                                                                  \
        struct call call;                                                                                              \
        const struct mpi_library *mpi = message_begin(&call, function);                                                \
        int result = real arguments;                                                                                   \
        if (mpi != NULL) collective_done(&call, mpi, communicator, root, (struct shares)given, result);               \
        return result;                                                                                                 \
    }                                                                                                                  \
    BOTH_NAMES_OF(LAYER_MPI, I##begun, "cimqx", AND(parameters, void *request), AND(arguments, request))              \
    {                                                                                                                  \
        struct call call;                                                                                              \
        const struct mpi_library *mpi = message_begin(&call, function);                                                \
        int result = real AND(arguments, request);                                                                     \
        if (mpi != NULL) collective_begun(&call, mpi, communicator, root, (struct shares)given, request, result);     \
        return result;                                                                                                 \
    }                                                                                                                  \
    _Static_assert(1, "")

#define LIST(...) {__VA_ARGS__}

COLLECTIVE(Barrier, barrier, (uintptr_t communicator), (communicator), NO_ROOT, LIST(.share = NO_SHARE));

#define BROADCASTS(name, small, counts)                                                                                \
    COLLECTIVE(name, small, (void *buffer, counts count, uintptr_t type, int root, uintptr_t communicator),            \
               (buffer, count, type, root, communicator), root, LIST(OF_ALL, 0, 0, count, type))
BROADCASTS(Bcast, bcast, int);
BROADCASTS(Bcast_c, bcast_c, int64_t);

#define MOVES_TO_OR_FROM_ROOT(name, small, counts, share)                                                              \
    COLLECTIVE(name, small,                                                                                            \
               (const void *sent, counts count, uintptr_t type, void *received, counts received_count,                 \
                uintptr_t received_type, int root, uintptr_t communicator),                                            \
               (sent, count, type, received, received_count, received_type, root, communicator), root,                 \
               LIST(share, count, type, received_count, received_type))
MOVES_TO_OR_FROM_ROOT(Gather, gather, int, SENT_BY_OTHERS);
MOVES_TO_OR_FROM_ROOT(Gather_c, gather_c, int64_t, SENT_BY_OTHERS);
MOVES_TO_OR_FROM_ROOT(Scatter, scatter, int, SENT_BY_ROOT);
MOVES_TO_OR_FROM_ROOT(Scatter_c, scatter_c, int64_t, SENT_BY_ROOT);

COLLECTIVE(Gatherv, gatherv,
           (const void *sent, int count, uintptr_t type, void *received, const int *counts, const int *places,
            uintptr_t received_type, int root, uintptr_t communicator),
           (sent, count, type, received, counts, places, received_type, root, communicator), root,
           LIST(SENT_BY_OTHERS_ALONE, count, type, 0, 0));
COLLECTIVE(Scatterv, scatterv,
           (const void *sent, const int *counts, const int *places, uintptr_t type, void *received, int received_count,
            uintptr_t received_type, int root, uintptr_t communicator),
           (sent, counts, places, type, received, received_count, received_type, root, communicator), root,
           LIST(RECEIVED_BY_OTHERS_ALONE, 0, 0, received_count, received_type));

/* What is sent may be in place; what is received is as much from each. */
#define MOVES_TO_ALL(name, small, counts)                                                                              \
    COLLECTIVE(name, small,                                                                                            \
               (const void *sent, counts count, uintptr_t type, void *received, counts received_count,                 \
                uintptr_t received_type, uintptr_t communicator),                                                      \
               (sent, count, type, received, received_count, received_type, communicator), NO_ROOT,                    \
               LIST(OF_ALL, 0, 0, received_count, received_type))
MOVES_TO_ALL(Allgather, allgather, int);
MOVES_TO_ALL(Allgather_c, allgather_c, int64_t);
MOVES_TO_ALL(Alltoall, alltoall, int);
MOVES_TO_ALL(Alltoall_c, alltoall_c, int64_t);

COLLECTIVE(Allgatherv, allgatherv,
           (const void *sent, int count, uintptr_t type, void *received, const int *counts, const int *places,
            uintptr_t received_type, uintptr_t communicator),
           (sent, count, type, received, counts, places, received_type, communicator), NO_ROOT,
           LIST(.share = NOT_TOLD));
COLLECTIVE(Alltoallv, alltoallv,
           (const void *sent, const int *counts, const int *places, uintptr_t type, void *received,
            const int *received_counts, const int *received_places, uintptr_t received_type, uintptr_t communicator),
           (sent, counts, places, type, received, received_counts, received_places, received_type, communicator),
           NO_ROOT, LIST(.share = NOT_TOLD));
COLLECTIVE(Alltoallw, alltoallw,
           (const void *sent, const int *counts, const int *places, const void *types, void *received,
            const int *received_counts, const int *received_places, const void *received_types, uintptr_t communicator),
           (sent, counts, places, types, received, received_counts, received_places, received_types, communicator),
           NO_ROOT, LIST(.share = NOT_TOLD));

#define REDUCES_TO_ROOT(name, small, counts)                                                                           \
    COLLECTIVE(name, small,                                                                                            \
               (const void *sent, void *received, counts count, uintptr_t type, uintptr_t operation, int root,         \
                uintptr_t communicator),                                                                               \
               (sent, received, count, type, operation, root, communicator), root, LIST(OF_ALL, 0, 0, count, type))
REDUCES_TO_ROOT(Reduce, reduce, int);
REDUCES_TO_ROOT(Reduce_c, reduce_c, int64_t);

#define REDUCES_FOR_ALL(name, small, counts)                                                                           \
    COLLECTIVE(name, small,                                                                                            \
               (const void *sent, void *received, counts count, uintptr_t type, uintptr_t operation,                   \
                uintptr_t communicator),                                                                               \
               (sent, received, count, type, operation, communicator), NO_ROOT, LIST(OF_ALL, 0, 0, count, type))
REDUCES_FOR_ALL(Allreduce, allreduce, int);
REDUCES_FOR_ALL(Allreduce_c, allreduce_c, int64_t);
REDUCES_FOR_ALL(Scan, scan, int);
REDUCES_FOR_ALL(Exscan, exscan, int);
REDUCES_FOR_ALL(Reduce_scatter_block, reduce_scatter_block, int);

COLLECTIVE(Reduce_scatter, reduce_scatter,
           (const void *sent, void *received, const int *counts, uintptr_t type, uintptr_t operation,
            uintptr_t communicator),
           (sent, received, counts, type, operation, communicator), NO_ROOT, LIST(.share = NOT_TOLD));

/* ---- communicators: all processes of one make others of it ---- */

#define MAKES_COMMUNICATOR(name, parameters, arguments)                                                                \
    BOTH_NAMES_OF(LAYER_MPI, name, "cimx", parameters, arguments)                                                      \
    {                                                                                                                  \
        struct call call;                                                                                              \
        const struct mpi_library *mpi = message_begin(&call, function);                                                \
        int result = real arguments;                                                                                   \
        struct shares none = {.share = NO_SHARE};                                                                      \
        if (mpi != NULL) collective_done(&call, mpi, communicator, NO_ROOT, none, result);                             \
        return result;                                                                                                 \
    }                                                                                                                  \
    _Static_assert(1, "")

MAKES_COMMUNICATOR(Comm_dup, (uintptr_t communicator, void *made), (communicator, made));
MAKES_COMMUNICATOR(Comm_split, (uintptr_t communicator, int colour, int key, void *made),
                   (communicator, colour, key, made));
MAKES_COMMUNICATOR(Comm_split_type, (uintptr_t communicator, int kind, int key, uintptr_t hints, void *made),
                   (communicator, kind, key, hints, made));
MAKES_COMMUNICATOR(Comm_create, (uintptr_t communicator, uintptr_t group, void *made), (communicator, group, made));
MAKES_COMMUNICATOR(Cart_create,
                   (uintptr_t communicator, int dimensions, const int *sizes, const int *periods, int reorder,
                    void *made),
                   (communicator, dimensions, sizes, periods, reorder, made));
