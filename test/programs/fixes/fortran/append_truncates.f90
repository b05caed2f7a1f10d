! FIX open-close-in-loop example: each open empties the file
program main
  implicit none
  integer :: u, i
  do i = 1, 5
    open(newunit=u, file='out', status='replace') ! HERE
    write(u, *) i
    close(u)
  end do
end program
