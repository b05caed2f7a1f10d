/* Two ranks that write 2 MiB each, collectively, by one call. */
#include <mpi.h>
#include "workload.h"

enum { BLOCK = 2 << 20 };

static void prepare(void) {}

static void workload(void) {
    static char block[BLOCK];
    MPI_File out;
    check(ranks > 0);
    MPI_File_open(MPI_COMM_WORLD, "truth.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &out);
    MPI_File_write_at_all(out, (MPI_Offset)rank * BLOCK, block, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&out);
}
