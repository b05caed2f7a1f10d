/* Two ranks whose records of 64 B alternate in a shared file: each rank writes every second by itself, or both together. */
#include <mpi.h>
#include "workload.h"

enum { RECORDS = 3000, RECORD = 64 };

static void prepare(void) {}

static void workload(void) {
    static char records[RECORDS][RECORD];
    MPI_File out;
    MPI_File_open(MPI_COMM_WORLD, "truth.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &out);
#if REPAIRED
    MPI_Datatype every_second;
    MPI_Type_vector(RECORDS, RECORD, RECORD * ranks, MPI_BYTE, &every_second);
    MPI_Type_commit(&every_second);
    MPI_File_set_view(out, (MPI_Offset)rank * RECORD, MPI_BYTE, every_second, "native", MPI_INFO_NULL);
    MPI_File_write_all(out, records, sizeof records, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Type_free(&every_second);
#else
    for (int i = 0; i < RECORDS; i++)
        MPI_File_write_at(out, (MPI_Offset)(i * ranks + rank) * RECORD, records[i], RECORD, MPI_BYTE, MPI_STATUS_IGNORE); /* PLANTED P16|P06|L06|L32|P13 */
#endif
    MPI_File_close(&out);
}
