! MPI-IO from Fortran: by "use mpi" when USE_MPI is defined, else by "include 'mpif.h'".
! usage: calls_mpif FILE LISTING      with 4 ranks
! Each rank writes LISTING.<rank>, as calls.c does.
program calls_mpif
#ifdef USE_MPI
  use mpi
#endif
  implicit none
#ifndef USE_MPI
  include 'mpif.h'
#endif
  integer, parameter :: integers = 100, bytes = 4 * integers
  integer :: rank, ierror, file, request, requests(2), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
  integer :: numbers(integers), readings(integers), position
  integer(kind=MPI_OFFSET_KIND) :: own
  logical :: is_complete
  character(len=1000) :: path, listing

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call get_command_argument(1, path)
  call get_command_argument(2, listing)
  write (listing, '(a,".",i0)') trim(listing), rank
  open (unit=10, file=trim(listing))
  do position = 1, integers
    numbers(position) = rank * 1000 + position
  end do
  own = rank * bytes

  call MPI_File_open(MPI_COMM_WORLD, trim(path), MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierror)
  call did('MPI_File_open', -1, -1)
  call MPI_File_write_at(file, own, numbers, integers, MPI_INTEGER, MPI_STATUS_IGNORE, ierror)
  call did('MPI_File_write_at', bytes, int(own))
  call MPI_File_read_at_all(file, own, readings, integers, MPI_INTEGER, status, ierror)
  call did('MPI_File_read_at_all', bytes, int(own))
  call MPI_File_iwrite_at(file, own, numbers, integers, MPI_INTEGER, request, ierror)
  call did('MPI_File_iwrite_at', bytes, int(own))
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  call MPI_File_iread_at(file, own, readings, integers / 2, MPI_INTEGER, requests(1), ierror)
  call did('MPI_File_iread_at', bytes / 2, int(own))
  call MPI_File_iread_at(file, own + bytes / 2, readings, integers / 2, MPI_INTEGER, requests(2), ierror)
  call did('MPI_File_iread_at', bytes / 2, int(own) + bytes / 2)
  call MPI_Waitall(2, requests, statuses, ierror)
  call MPI_File_iread_at(file, own, readings, integers, MPI_INTEGER, request, ierror)
  call did('MPI_File_iread_at', bytes, int(own))
  is_complete = .false.
  do while (.not. is_complete)
    call MPI_Test(request, is_complete, status, ierror)
  end do
  call MPI_File_write_at_all_begin(file, own, numbers, integers, MPI_INTEGER, ierror)
  call did('MPI_File_write_at_all_begin', bytes, int(own))
  call MPI_File_write_at_all_end(file, numbers, MPI_STATUS_IGNORE, ierror)
  call did('MPI_File_write_at_all_end', -1, -1)
  call MPI_File_set_view(file, own, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierror)
  call did('MPI_File_set_view', -1, -1)
  call MPI_File_write_all(file, numbers, integers, MPI_INTEGER, status, ierror)
  call did('MPI_File_write_all', bytes, int(own))
  call MPI_File_close(file, ierror)
  call did('MPI_File_close', -1, -1)

  close (10)
  call MPI_Finalize(ierror)
contains
  subroutine did(function, moved, offset)
    character(len=*), intent(in) :: function
    integer, intent(in) :: moved, offset
    write (10, '(a,3(" ",i0))') function, moved, moved, offset
  end subroutine did
end program calls_mpif
