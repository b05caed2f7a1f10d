! FIX flush-after-every-record repair: the flush comes behind the one write
program main
  implicit none
  integer :: u, i
  real(8) :: a(40) = 0.25d0
  open(newunit=u, file='out', access='stream', form='unformatted')
  do i = 1, 40
    write(u) a(i)
    flush(u) ! HERE
  end do
  close(u)
end program
