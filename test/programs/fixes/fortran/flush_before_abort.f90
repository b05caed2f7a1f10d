! FIX flush-after-every-record example: an abort writes no buffer
program main
  implicit none
  integer :: u, i
  open(newunit=u, file='out')
  do i = 1, 3
    write(u, *) i
    flush(u) ! HERE
    if (i == 2) call abort()
  end do
  close(u)
end program
