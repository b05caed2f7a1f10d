! FIX open-close-in-loop example: the loop changes its bound
program main
  implicit none
  integer :: u, i, n = 4
  do i = 1, n
    open(newunit=u, file='out', position='append') ! HERE
    write(u, *) i
    n = 0
    close(u)
  end do
end program
