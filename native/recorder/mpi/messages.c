#include "messages.h"

int64_t message_bytes(const struct mpi_library *mpi, int64_t count, uintptr_t type)
{
    return count <= 0 ? 0 : count * mpi_type_bytes(mpi, type);
}

struct message message_received(const struct mpi_library *mpi, const void *status)
{
    // In the statuses of all libraries the source and the tag stand in front of the error.
    struct message message;
    memcpy(&message.peer, (const uint8_t *)status + mpi->status_error_at - 8, sizeof message.peer);
    memcpy(&message.tag, (const uint8_t *)status + mpi->status_error_at - 4, sizeof message.tag);
    message.bytes = mpi_status_bytes(mpi, status);
    return message;
}

void put_message(struct call *call, const struct mpi_library *mpi, struct message message)
{
    int other = message.peer == mpi->no_process ? NO_PROCESS : UNKNOWN;
    put_signed(call, message.peer < 0 ? other : message.peer);
    put_signed(call, message.tag < 0 ? UNKNOWN : message.tag);
    put_signed(call, message.bytes < 0 ? UNKNOWN : message.bytes);
}

void message_commit(struct call *call, int result)
{
    put_signed(call, result);
    // Where they are called is not kept: who waits, for whom and when, is what counts.
    call->frame = NULL;
    call_commit(call);
}

void message_commit_begun(struct call *call, const struct mpi_library *mpi, int64_t bytes, bool receives,
                          const void *request, int result)
{
    uintptr_t handle = result == 0 ? handle_at(mpi, request) : mpi->no_request;
    bool is_complete = result == 0 && handle == mpi->no_request;
    // 0: when it is complete is not seen.
    uint64_t number = 0;
    if (is_complete) number = new_request_number();
    else if (result == 0) number = mpi_request_begun(handle, bytes, receives);
    put(call, number);
    message_commit(call, result);
    if (is_complete) mark_complete(number, bytes);
}

void put_communicator(struct call *call, const struct mpi_library *mpi, uintptr_t communicator, int result)
{
    put(call, result == 0 ? communicator_number(mpi, handle_of(mpi, communicator)) : 0);
}

void message_done(struct call *call, const struct mpi_library *mpi, uintptr_t communicator, struct message message,
                  int result)
{
    if (!call_end(call)) return;
    put_communicator(call, mpi, communicator, result);
    put_message(call, mpi, message);
    message_commit(call, result);
}

void message_begun(struct call *call, const struct mpi_library *mpi, uintptr_t communicator, struct message message,
                   bool receives, const void *request, int result)
{
    if (!call_end(call)) return;
    put_communicator(call, mpi, communicator, result);
    put_message(call, mpi, message);
    message_commit_begun(call, mpi, message.bytes, receives, request, result);
}

void message_waited(struct call *call, int result)
{
    if (call_end(call)) message_commit(call, result);
}

WRAPPED(message_complete, "", LAYER_RECORDER, "complete", "qIAM");

void message_complete(const struct mpi_library *mpi, struct mpi_request *request, struct message message)
{
    uint64_t number = request->number;
    struct call call;
    mpi_request_forget(request);
    if (!call_mark(&call, &function_message_complete)) return;
    put(&call, number);
    put_message(&call, mpi, message);
    call_commit(&call);
}
