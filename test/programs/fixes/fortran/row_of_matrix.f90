! FIX posix-small-writes repair: the inner index varies, and the outer one is a variable
program main
  implicit none
  integer :: u, i, j
  real :: a(20, 30) = 2.0
  open(newunit=u, file='out', access='stream', form='unformatted')
  do j = 1, 30
    do i = 2, 20
      write(u) a(i, j) ! HERE
    end do
  end do
  close(u)
end program
