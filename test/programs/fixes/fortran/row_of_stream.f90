! FIX posix-small-writes repair: a stream has no marks between records
program main
  implicit none
  integer :: u, i
  real(8) :: a(500) = 1.5d0
  open(newunit=u, file='out', access='stream', form='unformatted')
  do i = 1, size(a)
    write(u) a(i) ! HERE
  end do
  close(u)
end program
