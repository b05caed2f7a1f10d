/* Reading with holes: MPI-IO reads the whole range and throws the holes away (data sieving).
 * usage: sieve holes|contiguous FILE
 *   holes       each rank reads 512 of every 8192 bytes through a view, independently
 *   contiguous  the same number of bytes, each rank's in one piece */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512, STRIDE = 8192, BLOCKS = 64, READS = 8 };
static int rank, size;

static void create(const char *path, size_t bytes)
{
    if (rank == 0) {
        char *data = calloc(1, bytes);
        FILE *file = fopen(path, "w");
        fwrite(data, 1, bytes, file);
        fclose(file);
        free(data);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void read_blocks(const char *path, int holes)
{
    static char data[BLOCK * BLOCKS];
    MPI_File file;
    MPI_Info info;
    MPI_Datatype blocks;
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_ds_read", "enable");
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, info, &file);
    if (holes)
        MPI_Type_vector(BLOCKS, BLOCK, STRIDE, MPI_BYTE, &blocks);
    else
        MPI_Type_contiguous(BLOCK * BLOCKS, MPI_BYTE, &blocks);
    MPI_Type_commit(&blocks);
    for (int i = 0; i < READS; i++) {
        MPI_Offset start = (MPI_Offset)(i * size + rank) * (holes ? STRIDE * BLOCKS : BLOCK * BLOCKS);
        MPI_File_set_view(file, start, MPI_BYTE, blocks, "native", info);
        MPI_File_read(file, data, BLOCK * BLOCKS, MPI_BYTE, MPI_STATUS_IGNORE); /* FINDING holes */
    }
    MPI_Type_free(&blocks);
    MPI_File_close(&file);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    create(argv[2], (size_t)STRIDE * BLOCKS * READS * size);
    read_blocks(argv[2], !strcmp(argv[1], "holes"));
    MPI_Finalize();
    return 0;
}
