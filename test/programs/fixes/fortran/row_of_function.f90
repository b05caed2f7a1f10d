! FIX posix-small-writes example: it is a function, which reads what was written
program main
  implicit none
  integer :: u, i
  open(newunit=u, file='out', access='stream', form='unformatted')
  do i = 1, 5
    write(u) a(i) ! HERE
  end do
  close(u)
contains
  integer function a(k)
    integer, intent(in) :: k
    a = 2 * k
  end function
end program
