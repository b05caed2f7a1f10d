! FIX posix-small-writes example: each write is a line
program main
  implicit none
  integer :: u, i
  real(8) :: a(5) = 1.0d0
  open(newunit=u, file='out')
  do i = 1, 5
    write(u, *) a(i) ! HERE
  end do
  close(u)
end program
