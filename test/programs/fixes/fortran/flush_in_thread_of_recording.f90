! FIX flush-after-every-record example threaded: the recording saw several threads write
program main
  implicit none
  integer :: u, i
  open(newunit=u, file='out')
  do i = 1, 3
    write(u, *) i
    flush(u) ! HERE
  end do
  close(u)
end program
