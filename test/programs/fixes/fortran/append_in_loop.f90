! FIX open-close-in-loop trade: a flush does what the close did
program main
  implicit none
  integer :: u, i
  do i = 1, 30
    open(newunit=u, file='out', position='append') ! HERE
    write(u, '(i6)') i
    close(u)
  end do
end program
