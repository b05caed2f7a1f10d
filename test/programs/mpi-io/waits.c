/* The first rank computes and writes, then sends; the second waits for it. */
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    int rank = 0, value = 1;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        double begin = MPI_Wtime();
        while (MPI_Wtime() - begin < 0.2) continue;
        int fd = open("/dev/null", O_WRONLY);
        for (int i = 0; i < 1000; i++)
            if (write(fd, &value, sizeof value) != sizeof value) return 1;
        close(fd);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
