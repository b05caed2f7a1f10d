/* Two ranks, each of which writes 5,000 records of 64 B into its half of a shared file: one by one, or at once. */
#include <mpi.h>
#include "workload.h"

enum { RECORDS = 5000, RECORD = 64 };

static void prepare(void) {}

static void workload(void) {
    static char records[RECORDS][RECORD];
    MPI_File out;
    MPI_Offset begin = (MPI_Offset)rank * RECORDS * RECORD;
    MPI_File_open(MPI_COMM_WORLD, "truth.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &out);
#if REPAIRED
    MPI_File_write_at(out, begin, records, sizeof records, MPI_BYTE, MPI_STATUS_IGNORE);
#else
    for (int i = 0; i < RECORDS; i++)
        MPI_File_write_at(out, begin + i * RECORD, records[i], RECORD, MPI_BYTE, MPI_STATUS_IGNORE); /* PLANTED P16|P06|L32 */
#endif
    MPI_File_close(&out);
}
