! Messages by the modules mpi and, with F08, mpi_f08.
program p
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer :: ierr, rank, n, a(10), b(10)
#ifdef F08
  type(MPI_Request) :: q(2)
#else
  integer :: q(2)
#endif
  a = 1
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  if (rank == 0) call MPI_Send(a, 10, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, ierr)
  if (rank == 1) call MPI_Recv(b, 10, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Irecv(b, 10, MPI_INTEGER, mod(rank+1,n), 8, MPI_COMM_WORLD, q(1), ierr)
  call MPI_Isend(a, 4, MPI_INTEGER, mod(rank+n-1,n), 8, MPI_COMM_WORLD, q(2), ierr)
  call MPI_Waitall(2, q, MPI_STATUSES_IGNORE, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Allreduce(MPI_IN_PLACE, a, 10, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  else
    call MPI_Gather(a, 1, MPI_INTEGER, b, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
end program
