/* Calls every function of MPI-IO and says what it did, for comparison with what a recorder saw.
 * usage: calls [older] FILE LISTING      with 4 ranks; older: without collective accesses that give a request (MPI 3.1)
 * Each rank writes LISTING.<rank>: a line for each call, the function, bytes asked for, bytes moved (-1: no transfer), and
 * the offset in the file in bytes, of a seek the one that it leads to (-1: none, or below a view with holes). A transfer
 * that is begun by one call and ended by another stands once, at its beginning. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INTS = 100, BYTES = INTS * (int)sizeof(int), RANKS = 4 };
static int rank;
static FILE *listing;
static char path[4096];
static int numbers[INTS], readings[INTS];

static void did(const char *function, long asked, long moved, long offset)
{
    fprintf(listing, "%s %ld %ld %ld\n", function, asked, moved, offset);
}

static void check(int result, const char *what)
{
    if (result == MPI_SUCCESS) return;
    fprintf(stderr, "rank %d: %s failed\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static MPI_File open_file(MPI_Comm communicator, const char *name, int mode)
{
    MPI_File file;
    check(MPI_File_open(communicator, name, mode, MPI_INFO_NULL, &file), "open");
    did("MPI_File_open", -1, -1, -1);
    return file;
}

static void close_file(MPI_File *file)
{
    check(MPI_File_close(file), "close");
    did("MPI_File_close", -1, -1, -1);
}

/* What is written next; the same by all ranks where nobody knows which of them comes first. */
static void fill(int seed)
{
    for (int i = 0; i < INTS; i++) numbers[i] = seed + i;
    MPI_Barrier(MPI_COMM_WORLD);
}

/* At offsets that are given, independently and together. */
static void explicit_offsets(MPI_File file)
{
    MPI_Offset own = rank * BYTES;
    MPI_Status status;
    fill(rank * 1000);
    check(MPI_File_write_at(file, own, numbers, INTS, MPI_INT, MPI_STATUS_IGNORE), "write_at");
    did("MPI_File_write_at", BYTES, BYTES, own);
    check(MPI_File_write_at_all(file, own + RANKS * BYTES, numbers, INTS, MPI_INT, &status), "write_at_all");
    did("MPI_File_write_at_all", BYTES, BYTES, own + RANKS * BYTES);
    check(MPI_File_sync(file), "sync");
    did("MPI_File_sync", -1, -1, -1);
    check(MPI_File_read_at(file, own, readings, INTS, MPI_INT, &status), "read_at");
    did("MPI_File_read_at", BYTES, BYTES, own);
    check(MPI_File_read_at_all(file, own + RANKS * BYTES, readings, INTS, MPI_INT, MPI_STATUS_IGNORE), "read_at_all");
    did("MPI_File_read_at_all", BYTES, BYTES, own + RANKS * BYTES);
    // Across the end of the file, and behind it.
    MPI_Offset end = 2 * RANKS * BYTES;
    check(MPI_File_read_at(file, end - 40, readings, INTS, MPI_INT, MPI_STATUS_IGNORE), "read_at");
    did("MPI_File_read_at", BYTES, 40, end - 40);
    check(MPI_File_read_at(file, end, readings, INTS, MPI_INT, MPI_STATUS_IGNORE), "read_at");
    did("MPI_File_read_at", BYTES, 0, end);
}

/* At the rank's own pointer. */
static void individual_pointer(MPI_File file)
{
    MPI_Offset own = rank * BYTES, position;
    fill(rank * 1500);
    check(MPI_File_seek(file, own, MPI_SEEK_SET), "seek");
    did("MPI_File_seek", -1, -1, own);
    check(MPI_File_write(file, numbers, INTS / 2, MPI_INT, MPI_STATUS_IGNORE), "write");
    did("MPI_File_write", BYTES / 2, BYTES / 2, own);
    check(MPI_File_write(file, numbers, INTS / 2, MPI_INT, MPI_STATUS_IGNORE), "write");
    did("MPI_File_write", BYTES / 2, BYTES / 2, own + BYTES / 2);
    check(MPI_File_get_position(file, &position), "get_position");
    did("MPI_File_get_position", -1, -1, -1);
    check(MPI_File_seek(file, -BYTES, MPI_SEEK_CUR), "seek");
    did("MPI_File_seek", -1, -1, own);
    check(MPI_File_read(file, readings, INTS, MPI_INT, MPI_STATUS_IGNORE), "read");
    did("MPI_File_read", BYTES, BYTES, own);
    fill(rank * 1500 + 1);
    check(MPI_File_write_all(file, numbers, INTS, MPI_INT, MPI_STATUS_IGNORE), "write_all");
    did("MPI_File_write_all", BYTES, BYTES, own + BYTES);
    // All have written: the file has an end.
    MPI_Barrier(MPI_COMM_WORLD);
    check(MPI_File_seek(file, -2 * BYTES, MPI_SEEK_END), "seek");
    did("MPI_File_seek", -1, -1, 2 * RANKS * BYTES - 2 * BYTES);
    check(MPI_File_read_all(file, readings, INTS, MPI_INT, MPI_STATUS_IGNORE), "read_all");
    did("MPI_File_read_all", BYTES, BYTES, 2 * RANKS * BYTES - 2 * BYTES);
    // The pointer stands at the end after the second of these.
    check(MPI_File_read(file, readings, INTS - 1, MPI_INT, MPI_STATUS_IGNORE), "read");
    did("MPI_File_read", BYTES - 4, BYTES - 4, 2 * RANKS * BYTES - BYTES);
    check(MPI_File_read(file, readings, INTS, MPI_INT, MPI_STATUS_IGNORE), "read");
    did("MPI_File_read", BYTES, 4, 2 * RANKS * BYTES - 4);
    // Libraries differ in where it stands now.
    check(MPI_File_get_position(file, &position), "get_position");
    did("MPI_File_get_position", -1, -1, -1);
    check(MPI_File_read(file, readings, INTS, MPI_INT, MPI_STATUS_IGNORE), "read");
    did("MPI_File_read", BYTES, 0, position);
}

/* At the pointer that the ranks share. */
static void shared_pointer(MPI_File file)
{
    MPI_Offset position;
    fill(7);
    check(MPI_File_seek_shared(file, 0, MPI_SEEK_SET), "seek_shared");
    did("MPI_File_seek_shared", -1, -1, 0);
    check(MPI_File_write_shared(file, numbers, INTS, MPI_INT, MPI_STATUS_IGNORE), "write_shared");
    did("MPI_File_write_shared", BYTES, BYTES, -1);
    check(MPI_File_write_ordered(file, numbers, INTS, MPI_INT, MPI_STATUS_IGNORE), "write_ordered");
    did("MPI_File_write_ordered", BYTES, BYTES, -1);
    MPI_Barrier(MPI_COMM_WORLD);
    check(MPI_File_get_position_shared(file, &position), "get_position_shared");
    did("MPI_File_get_position_shared", -1, -1, position);
    MPI_Barrier(MPI_COMM_WORLD);
    check(MPI_File_seek_shared(file, 0, MPI_SEEK_SET), "seek_shared");
    did("MPI_File_seek_shared", -1, -1, 0);
    check(MPI_File_read_shared(file, readings, INTS, MPI_INT, MPI_STATUS_IGNORE), "read_shared");
    did("MPI_File_read_shared", BYTES, BYTES, -1);
    check(MPI_File_read_ordered(file, readings, INTS, MPI_INT, MPI_STATUS_IGNORE), "read_ordered");
    did("MPI_File_read_ordered", BYTES, BYTES, -1);
    check(MPI_File_write_ordered_begin(file, numbers, INTS, MPI_INT), "write_ordered_begin");
    did("MPI_File_write_ordered_begin", BYTES, BYTES, -1);
    check(MPI_File_write_ordered_end(file, numbers, MPI_STATUS_IGNORE), "write_ordered_end");
    did("MPI_File_write_ordered_end", -1, -1, -1);
    MPI_Barrier(MPI_COMM_WORLD);
    check(MPI_File_seek_shared(file, 0, MPI_SEEK_SET), "seek_shared");
    did("MPI_File_seek_shared", -1, -1, 0);
    check(MPI_File_read_ordered_begin(file, readings, INTS, MPI_INT), "read_ordered_begin");
    did("MPI_File_read_ordered_begin", BYTES, BYTES, -1);
    check(MPI_File_read_ordered_end(file, readings, MPI_STATUS_IGNORE), "read_ordered_end");
    did("MPI_File_read_ordered_end", -1, -1, -1);
}

/* Collective accesses in two calls. */
static void split(MPI_File file)
{
    MPI_Offset own = rank * BYTES;
    MPI_Status status;
    fill(rank * 3000);
    check(MPI_File_write_at_all_begin(file, own, numbers, INTS, MPI_INT), "write_at_all_begin");
    did("MPI_File_write_at_all_begin", BYTES, BYTES, own);
    check(MPI_File_write_at_all_end(file, numbers, &status), "write_at_all_end");
    did("MPI_File_write_at_all_end", -1, -1, -1);
    check(MPI_File_read_at_all_begin(file, own, readings, INTS, MPI_INT), "read_at_all_begin");
    did("MPI_File_read_at_all_begin", BYTES, BYTES, own);
    check(MPI_File_read_at_all_end(file, readings, MPI_STATUS_IGNORE), "read_at_all_end");
    did("MPI_File_read_at_all_end", -1, -1, -1);
    check(MPI_File_seek(file, own, MPI_SEEK_SET), "seek");
    did("MPI_File_seek", -1, -1, own);
    check(MPI_File_write_all_begin(file, numbers, INTS / 4, MPI_INT), "write_all_begin");
    did("MPI_File_write_all_begin", BYTES / 4, BYTES / 4, own);
    check(MPI_File_write_all_end(file, numbers, MPI_STATUS_IGNORE), "write_all_end");
    did("MPI_File_write_all_end", -1, -1, -1);
    check(MPI_File_read_all_begin(file, readings, INTS / 4, MPI_INT), "read_all_begin");
    did("MPI_File_read_all_begin", BYTES / 4, BYTES / 4, own + BYTES / 4);
    check(MPI_File_read_all_end(file, readings, MPI_STATUS_IGNORE), "read_all_end");
    did("MPI_File_read_all_end", -1, -1, -1);
}

/* Begun, and completed in each way that there is. */
static void nonblocking(MPI_File file)
{
    enum { PARTS = 4, PART = INTS / PARTS, PART_BYTES = BYTES / PARTS };
    MPI_Offset own = rank * BYTES;
    MPI_Request requests[PARTS + 1];
    MPI_Status statuses[PARTS + 1];
    int index, is_complete = 0, completed, indices[PARTS + 1], token = 0, other = (rank + 1) % RANKS;
    fill(rank * 2000);

    check(MPI_File_iwrite_at(file, own, numbers, INTS, MPI_INT, &requests[0]), "iwrite_at");
    did("MPI_File_iwrite_at", BYTES, BYTES, own);
    check(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), "wait");

    check(MPI_File_iread_at(file, own, readings, INTS, MPI_INT, &requests[0]), "iread_at");
    did("MPI_File_iread_at", BYTES, BYTES, own);
    while (!is_complete) check(MPI_Test(&requests[0], &is_complete, &statuses[0]), "test");

    // Beside a message, which is none of ours.
    for (int i = 0; i < PARTS; i++) {
        MPI_Offset at = own + i * PART_BYTES;
        check(MPI_File_iwrite_at(file, at, numbers + i * PART, PART, MPI_INT, &requests[i]), "iwrite_at");
        did("MPI_File_iwrite_at", PART_BYTES, PART_BYTES, at);
    }
    check(MPI_Irecv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[PARTS]), "irecv");
    check(MPI_Send(&rank, 1, MPI_INT, other, 1, MPI_COMM_WORLD), "send");
    check(MPI_Waitall(PARTS + 1, requests, MPI_STATUSES_IGNORE), "waitall");

    for (int i = 0; i < PARTS; i++) {
        MPI_Offset at = own + i * PART_BYTES;
        check(MPI_File_iread_at(file, at, readings + i * PART, PART, MPI_INT, &requests[i]), "iread_at");
        did("MPI_File_iread_at", PART_BYTES, PART_BYTES, at);
    }
    check(MPI_Waitany(PARTS, requests, &index, MPI_STATUS_IGNORE), "waitany");
    for (is_complete = 0; !is_complete;)
        check(MPI_Testany(PARTS, requests, &index, &is_complete, &statuses[0]), "testany");
    for (int left = PARTS - 2; left > 0; left -= completed)
        check(MPI_Waitsome(PARTS, requests, &completed, indices, statuses), "waitsome");

    check(MPI_File_seek(file, own, MPI_SEEK_SET), "seek");
    did("MPI_File_seek", -1, -1, own);
    check(MPI_File_iwrite(file, numbers, PART, MPI_INT, &requests[0]), "iwrite");
    did("MPI_File_iwrite", PART_BYTES, PART_BYTES, own);
    check(MPI_File_iwrite(file, numbers, PART, MPI_INT, &requests[1]), "iwrite");
    did("MPI_File_iwrite", PART_BYTES, PART_BYTES, own + PART_BYTES);
    check(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), "wait");
    // MPICH 4.0.2 stops now and then at an assertion of its own when it is given both.
    for (is_complete = 0; !is_complete;) check(MPI_Testall(1, &requests[1], &is_complete, statuses), "testall");
    check(MPI_File_iread(file, readings, PART, MPI_INT, &requests[0]), "iread");
    did("MPI_File_iread", PART_BYTES, PART_BYTES, own + 2 * PART_BYTES);
    for (completed = 0; completed == 0;)
        check(MPI_Testsome(1, requests, &completed, indices, MPI_STATUSES_IGNORE), "testsome");

    fill(8);
    check(MPI_File_seek_shared(file, 0, MPI_SEEK_SET), "seek_shared");
    did("MPI_File_seek_shared", -1, -1, 0);
    check(MPI_File_iwrite_shared(file, numbers, INTS, MPI_INT, &requests[0]), "iwrite_shared");
    did("MPI_File_iwrite_shared", BYTES, BYTES, -1);
    check(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), "wait");
    MPI_Barrier(MPI_COMM_WORLD);
    check(MPI_File_seek_shared(file, 0, MPI_SEEK_SET), "seek_shared");
    did("MPI_File_seek_shared", -1, -1, 0);
    check(MPI_File_iread_shared(file, readings, INTS, MPI_INT, &requests[0]), "iread_shared");
    did("MPI_File_iread_shared", BYTES, BYTES, -1);
    check(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), "wait");
}

/* Collective accesses that give a request. ROMIO within Open MPI has none, and crashes. */
static void nonblocking_together(MPI_File file)
{
    enum { PART = INTS / 4, PART_BYTES = BYTES / 4 };
    MPI_Offset own = rank * BYTES;
    MPI_Request request;
    MPI_Status status;
    check(MPI_File_iwrite_at_all(file, own, numbers, INTS, MPI_INT, &request), "iwrite_at_all");
    did("MPI_File_iwrite_at_all", BYTES, BYTES, own);
    check(MPI_Wait(&request, &status), "wait");
    check(MPI_File_iread_at_all(file, own, readings, INTS, MPI_INT, &request), "iread_at_all");
    did("MPI_File_iread_at_all", BYTES, BYTES, own);
    check(MPI_Wait(&request, MPI_STATUS_IGNORE), "wait");
    check(MPI_File_seek(file, own, MPI_SEEK_SET), "seek");
    did("MPI_File_seek", -1, -1, own);
    check(MPI_File_iwrite_all(file, numbers, PART, MPI_INT, &request), "iwrite_all");
    did("MPI_File_iwrite_all", PART_BYTES, PART_BYTES, own);
    check(MPI_Wait(&request, MPI_STATUS_IGNORE), "wait");
    check(MPI_File_iread_all(file, readings, PART, MPI_INT, &request), "iread_all");
    did("MPI_File_iread_all", PART_BYTES, PART_BYTES, own + PART_BYTES);
    check(MPI_Wait(&request, MPI_STATUS_IGNORE), "wait");
}

/* A view without holes, in ints, and one of every fourth block. */
static void views(MPI_File file)
{
    enum { BLOCK = 25 };
    MPI_Datatype blocks;
    MPI_Offset begin;
    MPI_Datatype unit, type;
    char representation[MPI_MAX_DATAREP_STRING];
    fill(rank * 4000);
    check(MPI_File_set_view(file, 80, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), "set_view");
    did("MPI_File_set_view", -1, -1, -1);
    check(MPI_File_write_at(file, rank * INTS, numbers, INTS, MPI_INT, MPI_STATUS_IGNORE), "write_at");
    did("MPI_File_write_at", BYTES, BYTES, 80 + rank * BYTES);
    check(MPI_File_seek(file, 5, MPI_SEEK_SET), "seek");
    did("MPI_File_seek", -1, -1, 80 + 20);
    check(MPI_File_read(file, readings, 10, MPI_INT, MPI_STATUS_IGNORE), "read");
    did("MPI_File_read", 40, 40, 80 + 20);
    check(MPI_File_read(file, readings, 10, MPI_INT, MPI_STATUS_IGNORE), "read");
    did("MPI_File_read", 40, 40, 80 + 60);
    check(MPI_File_get_view(file, &begin, &unit, &type, representation), "get_view");
    did("MPI_File_get_view", -1, -1, -1);
    check(MPI_Type_vector(INTS / BLOCK, BLOCK, BLOCK * RANKS, MPI_INT, &blocks), "type_vector");
    check(MPI_Type_commit(&blocks), "type_commit");
    check(MPI_File_set_view(file, rank * BLOCK * 4, MPI_INT, blocks, "native", MPI_INFO_NULL), "set_view");
    did("MPI_File_set_view", -1, -1, -1);
    check(MPI_File_write_all(file, numbers, INTS, MPI_INT, MPI_STATUS_IGNORE), "write_all");
    did("MPI_File_write_all", BYTES, BYTES, -1);
    check(MPI_File_read_at_all(file, 0, readings, INTS, MPI_INT, MPI_STATUS_IGNORE), "read_at_all");
    did("MPI_File_read_at_all", BYTES, BYTES, -1);
    MPI_Type_free(&blocks);
}

/* Files of parts of the world; the second pair is likely to get the first one's handles. */
static void communicators(void)
{
    char name[4200];
    for (int round = 0; round < 2; round++) {
        MPI_Comm part;
        // First blocks, then every other rank.
        check(MPI_Comm_split(MPI_COMM_WORLD, round == 0 ? rank / 2 : rank % 2, rank, &part), "split");
        MPI_Comm_set_name(part, round == 0 ? "block" : "stride");
        snprintf(name, sizeof name, "%s.part%d.%d", path, round, round == 0 ? rank / 2 : rank % 2);
        MPI_File file = open_file(part, name, MPI_MODE_CREATE | MPI_MODE_WRONLY);
        check(MPI_File_write_at_all(file, rank * 8, numbers, 2, MPI_INT, MPI_STATUS_IGNORE), "write_at_all");
        did("MPI_File_write_at_all", 8, 8, rank * 8);
        close_file(&file);
        MPI_Comm_free(&part);
    }
    snprintf(name, sizeof name, "%s.own.%d", path, rank);
    MPI_File file = open_file(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR | MPI_MODE_APPEND);
    check(MPI_File_write(file, numbers, 2, MPI_INT, MPI_STATUS_IGNORE), "write");
    did("MPI_File_write", 8, 8, 0);
    close_file(&file);
    file = open_file(MPI_COMM_SELF, name, MPI_MODE_WRONLY | MPI_MODE_APPEND);
    check(MPI_File_write(file, numbers, 2, MPI_INT, MPI_STATUS_IGNORE), "write");
    did("MPI_File_write", 8, 8, 8);
    close_file(&file);
    check(MPI_File_delete(name, MPI_INFO_NULL), "delete");
    did("MPI_File_delete", -1, -1, -1);
}

static void sizes(MPI_File file)
{
    MPI_Offset size;
    check(MPI_File_set_size(file, 2 * RANKS * BYTES), "set_size");
    did("MPI_File_set_size", -1, -1, -1);
    check(MPI_File_get_size(file, &size), "get_size");
    did("MPI_File_get_size", -1, -1, -1);
    check(MPI_File_preallocate(file, 2 * RANKS * BYTES), "preallocate");
    did("MPI_File_preallocate", -1, -1, -1);
    MPI_Info hints;
    MPI_Info_create(&hints);
    check(MPI_File_set_info(file, hints), "set_info");
    MPI_Info_free(&hints);
    did("MPI_File_set_info", -1, -1, -1);
    check(MPI_File_set_atomicity(file, 0), "set_atomicity");
    did("MPI_File_set_atomicity", -1, -1, -1);
}

/* Calls that fail; the program goes on. */
static void failures(void)
{
    MPI_File file;
    if (MPI_File_open(MPI_COMM_SELF, "/nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS) exit(4);
    did("MPI_File_open", -1, -1, -1);
    file = open_file(MPI_COMM_SELF, path, MPI_MODE_RDONLY);
    if (MPI_File_write_at(file, 0, numbers, 1, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS) exit(5);
    did("MPI_File_write_at", 0, 0, 0);
    if (MPI_File_write_at(file, 0, numbers, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE) == MPI_SUCCESS) exit(6);
    did("MPI_File_write_at", 0, 0, 0);
    close_file(&file);
}

int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (count < 3) return 2;
    bool is_older = strcmp(arguments[1], "older") == 0;
    char name[4200];
    snprintf(path, sizeof path, "%s", arguments[count - 2]);
    snprintf(name, sizeof name, "%s.%d", arguments[count - 1], rank);
    listing = fopen(name, "w");
    if (listing == NULL) return 2;
    setvbuf(listing, NULL, _IOLBF, 0);

    MPI_File file = open_file(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR);
    explicit_offsets(file);
    individual_pointer(file);
    shared_pointer(file);
    split(file);
    nonblocking(file);
    if (!is_older) nonblocking_together(file);
    views(file);
    sizes(file);
    close_file(&file);
    communicators();
    failures();

    fclose(listing);
    MPI_Finalize();
    return 0;
}
