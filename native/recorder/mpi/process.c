/* The life of MPI in a process, and of its communicators. Processes wait for each other where it begins and ends. */
#include "messages.h"

/* The library need not be known. */
PART_OF_WRAPPER bool life_begin(struct call *call, struct function *function)
{
    return (settings.layers >> LAYER_MPI & 1) != 0 && call_begin(call, function);
}

static void begin(void *caller, int result)
{
    if (result != 0 || recorder_state != ACTIVE) return;
    const struct mpi_library *mpi = mpi_library(caller);
    if (mpi != NULL) define_world(mpi);
}

BOTH_NAMES_OF(LAYER_MPI, Init, "x", (int *count, char ***arguments), (count, arguments))
{
    struct call call;
    bool is_recorded = life_begin(&call, function);
    int result = real(count, arguments);
    if (is_recorded) message_waited(&call, result);
    begin(CALLER, result);
    return result;
}

BOTH_NAMES_OF(LAYER_MPI, Init_thread, "x", (int *count, char ***arguments, int wanted, int *given),
              (count, arguments, wanted, given))
{
    struct call call;
    bool is_recorded = life_begin(&call, function);
    int result = real(count, arguments, wanted, given);
    if (is_recorded) message_waited(&call, result);
    begin(CALLER, result);
    return result;
}

FUNCTION(MPI_Finalize, LAYER_MPI, "x");
FUNCTION(PMPI_Finalize, LAYER_MPI, "x");

PART_OF_WRAPPER int finalize(int (*real)(void))
{
    // The library may end the process.
    recorder_flush_last();
    struct call call;
    bool is_recorded = life_begin(&call, &function_MPI_Finalize);
    int result = real();
    if (is_recorded) message_waited(&call, result);
    return result;
}

EXPORTED int MPI_Finalize(void)
{
    REAL(MPI_Finalize);
    return finalize(real);
}

EXPORTED int PMPI_Finalize(void)
{
    REAL(PMPI_Finalize);
    return finalize(real);
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
    if (mpi != NULL && communicator != NULL) communicator_freed(handle_at(mpi, communicator));
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
