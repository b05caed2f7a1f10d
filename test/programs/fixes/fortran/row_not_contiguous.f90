! FIX posix-small-writes repair: the elements of a row lie apart, and their order is the same
program main
  implicit none
  integer :: u, i, k
  integer :: a(6, 10)
  a = reshape([(k, k = 1, 60)], [6, 10])
  open(newunit=u, file='out', access='stream', form='unformatted')
  do i = 1, 10
    write(u) a(3, i) ! HERE
  end do
  close(u)
end program
