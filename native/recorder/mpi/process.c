/* The life of MPI in a process, and of its communicators. None of these is recorded: they do no I/O of the program's. */
#include "communicators.h"
#include "wrappers.h"

static void begin(void *caller, int result)
{
    if (result != 0 || recorder_state != ACTIVE) return;
    const struct mpi_library *mpi = mpi_library(caller);
    if (mpi != NULL) define_world(mpi);
}

BOTH_NAMES(Init, "", (int *count, char ***arguments), (count, arguments))
{
    int result = real(count, arguments);
    begin(CALLER, result);
    return result;
}

BOTH_NAMES(Init_thread, "", (int *count, char ***arguments, int wanted, int *given), (count, arguments, wanted, given))
{
    int result = real(count, arguments, wanted, given);
    begin(CALLER, result);
    return result;
}

FUNCTION(MPI_Finalize, LAYER_MPI_IO, "");
EXPORTED int MPI_Finalize(void)
{
    REAL(MPI_Finalize);
    recorder_flush_last();
    return real();
}

FUNCTION(PMPI_Finalize, LAYER_MPI_IO, "");
EXPORTED int PMPI_Finalize(void)
{
    REAL(PMPI_Finalize);
    recorder_flush_last();
    return real();
}

BOTH_NAMES(Abort, "", (uintptr_t communicator, int code), (communicator, code))
{
    // The launcher may end the process by a signal that nothing can be done about.
    recorder_flush_all();
    return real(communicator, code);
}

/* A communicator is given up; before the call: another thread may be given the handle at once. */
static void forget(const void *communicator, void *caller)
{
    const struct mpi_library *mpi = recorder_state == ACTIVE ? mpi_library(caller) : NULL;
    if (mpi != NULL) communicator_freed(handle_at(mpi, communicator));
}

BOTH_NAMES(Comm_free, "", (void *communicator), (communicator))
{
    forget(communicator, CALLER);
    return real(communicator);
}

BOTH_NAMES(Comm_disconnect, "", (void *communicator), (communicator))
{
    forget(communicator, CALLER);
    return real(communicator);
}
