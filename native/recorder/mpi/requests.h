/* Transfers that were begun and are not complete. */
#ifndef IOLENS_MPI_REQUESTS_H
#define IOLENS_MPI_REQUESTS_H

#include "library.h"

struct mpi_request {
    uintptr_t handle;
    /* In the recording. */
    uint64_t number;
    /* Bytes asked for; −1: a message is received, of which only a status tells how long it is, and from whom. */
    int64_t bytes;
    bool reads;
    bool is_cancelled;
    /* A call that may complete it is under way. */
    int is_claimed;
    /* Place in the array that this call was given, and the next request of it. */
    int index;
    struct mpi_request *next;
};

/* How many are outstanding: as long as it is 0, waiting for messages costs no look-up. */
extern int mpi_requests;

/* A number for a transfer that is begun. */
uint64_t new_request_number(void);
/* The number of a transfer that is begun; 0 when there is no room for it: its completion will not be seen. */
uint64_t mpi_request_begun(uintptr_t handle, int64_t bytes, bool reads);
/* An outstanding request of this handle that no other call waits for; the caller has it until one of the following. */
struct mpi_request *mpi_request_claim(uintptr_t handle);
/* It is not complete. */
void mpi_request_release(struct mpi_request *request);
/* The transfer is complete: an event says so. */
void mpi_request_complete(struct mpi_request *request, int64_t bytes);
/* The program gave it up. */
void mpi_request_forget(struct mpi_request *request);

/* An event that says that a transfer is complete. */
void mark_complete(uint64_t number, int64_t bytes);

#endif
