! FIX posix-small-writes example: each element has its position
program main
  implicit none
  integer :: u, i
  real(8) :: a(5) = 1.0d0
  open(newunit=u, file='out', access='stream', form='unformatted')
  do i = 1, 5
    write(u, pos=1 + 16 * (i - 1)) a(i) ! HERE
  end do
  close(u)
end program
