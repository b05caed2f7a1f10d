! FIX posix-small-writes example: each write tells whether it failed
program main
  implicit none
  integer :: u, i, k
  real(8) :: a(5) = 1.0d0
  open(newunit=u, file='out', access='stream', form='unformatted')
  do i = 1, 5
    write(u, iostat=k) a(i) ! HERE
    if (k /= 0) exit
  end do
  close(u)
end program
