! FIX flush-after-every-record example: the size of the file is asked for
program main
  implicit none
  integer :: u, i, k
  open(newunit=u, file='out')
  do i = 1, 3
    write(u, *) i
    flush(u) ! HERE
    inquire(file='out', size=k)
    print *, k
  end do
  close(u)
end program
