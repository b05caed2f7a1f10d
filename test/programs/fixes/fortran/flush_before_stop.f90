! FIX flush-after-every-record trade: a stop closes the unit
program main
  implicit none
  integer :: u, i
  open(newunit=u, file='out')
  do i = 1, 50
    write(u, *) i
    flush(u) ! HERE
    if (i == 20) stop
  end do
  close(u)
end program
