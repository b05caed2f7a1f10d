! FIX flush-after-every-record example: each flush tells whether it failed
program main
  implicit none
  integer :: u, i, k
  open(newunit=u, file='out')
  do i = 1, 3
    write(u, *) i
    flush(u, iostat=k) ! HERE
    if (k /= 0) exit
  end do
  close(u)
end program
