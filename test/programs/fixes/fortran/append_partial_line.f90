! FIX open-close-in-loop example: the close ends a line that was begun
program main
  implicit none
  integer :: u, i
  do i = 1, 3
    open(newunit=u, file='out', position='append') ! HERE
    write(u, '(i2)', advance='no') i
    close(u)
  end do
end program
