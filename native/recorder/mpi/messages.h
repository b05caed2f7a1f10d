/*
 * Messages, collective operations and waits (layer MPI): who waits for whom, and for how long. They are events without call
 * stacks. Inside of calls of MPI-IO they are the library's own and not recorded; inside of calls of HDF5 they are.
 *
 * Only arguments that count for this process are looked at: MPI ends programs that ask about a type or a communicator that is
 * none, and what does not count may be anything.
 */
#ifndef IOLENS_MPI_MESSAGES_H
#define IOLENS_MPI_MESSAGES_H

#include "communicators.h"
#include "requests.h"
#include "wrappers.h"

/* What is not known, or any; a rank that is none. */
#define UNKNOWN (-1)
#define NO_PROCESS (-2)

/* Rank of the other side in the communicator, tag and bytes of a message: letters `iam`. */
struct message {
    int peer;
    int tag;
    int64_t bytes;
};

/* The library; NULL when the call is not to be recorded. Otherwise its start is noted. */
PART_OF_WRAPPER const struct mpi_library *message_begin(struct call *call, struct function *function)
{
    if ((settings.layers >> LAYER_MPI & 1) == 0) return NULL;
    const struct mpi_library *mpi = mpi_library(CALLER);
    return mpi != NULL && call_begin(call, function) ? mpi : NULL;
}

/* Bytes of so many values of a type that counts. */
int64_t message_bytes(const struct mpi_library *mpi, int64_t count, uintptr_t type);
/* What a status tells that the library has filled. */
struct message message_received(const struct mpi_library *mpi, const void *status);

/* Letter `c`; the communicator is only looked at when the call succeeded. */
void put_communicator(struct call *call, const struct mpi_library *mpi, uintptr_t communicator, int result);
void put_message(struct call *call, const struct mpi_library *mpi, struct message message);
void message_commit(struct call *call, int result);
/* The same for a call that has only begun something: letters `qx`. `bytes` as in a request. */
void message_commit_begun(struct call *call, const struct mpi_library *mpi, int64_t bytes, bool receives,
                          const void *request, int result);

/* The call is over: a message was sent or received. */
void message_done(struct call *call, const struct mpi_library *mpi, uintptr_t communicator, struct message message,
                  int result);
/* A call has only begun to send or receive; letters `ciamqx`. */
void message_begun(struct call *call, const struct mpi_library *mpi, uintptr_t communicator, struct message message,
                   bool receives, const void *request, int result);
/* A message that was begun to be received is here; an event says what is known of it. */
void message_complete(const struct mpi_library *mpi, struct mpi_request *request, struct message message);
/* A call without message is over; letter `x`. */
void message_waited(struct call *call, int result);

#endif
