! FIX flush-after-every-record example: each write tells whether it failed
program main
  implicit none
  integer :: u, i, k
  open(newunit=u, file='out')
  do i = 1, 3
    write(u, *, iostat=k) i
    if (k /= 0) exit
    flush(u) ! HERE
  end do
  close(u)
end program
