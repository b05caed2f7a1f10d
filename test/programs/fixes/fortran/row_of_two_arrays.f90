! FIX posix-small-writes example: the elements of two arrays take turns
program main
  implicit none
  integer :: u, i
  real(8) :: a(5) = 1.0d0, b(5) = 2.0d0
  open(newunit=u, file='out', access='stream', form='unformatted')
  do i = 1, 5
    write(u) a(i), b(i) ! HERE
  end do
  close(u)
end program
