! FIX posix-small-writes example: the counter is printed behind the loop
program main
  implicit none
  integer :: u, i
  real(8) :: a(5) = 1.0d0
  open(newunit=u, file='out', access='stream', form='unformatted')
  do i = 1, 5
    write(u) a(i) ! HERE
  end do
  print *, i
  close(u)
end program
