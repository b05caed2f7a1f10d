/* Communicators that files were opened with or messages sent in, and this process's place among all. */
#ifndef IOLENS_MPI_COMMUNICATORS_H
#define IOLENS_MPI_COMMUNICATORS_H

#include "library.h"

/* Defines the world, once, when MPI is initialised. */
void define_world(const struct mpi_library *mpi);
/* The number of a valid communicator, which is defined when it is new; 0 when there is no room. */
uint32_t communicator_number(const struct mpi_library *mpi, uintptr_t communicator);
/* What is known of one. */
struct communicator_facts {
    /* 0 when there is no room: then nothing else is known either. */
    uint32_t number;
    /* This process's rank in it, or in its own group. */
    int rank;
    /* An intercommunicator: ranks are those of the other group, and its members are not listed. */
    bool is_between_groups;
};
/* The same of a valid communicator. */
struct communicator_facts communicator_facts(const struct mpi_library *mpi, uintptr_t communicator);
/* Its number when it has one. */
uint32_t communicator_known(uintptr_t communicator);
/* The handle may become another communicator's. */
void communicator_freed(uintptr_t communicator);

#endif
