! FIX open-close-in-loop trade: both loops have bounds that nothing changes
program main
  implicit none
  integer :: u, i, j, n = 5
  do j = 1, n
    do i = 1, 4
      open(newunit=u, file='out', position='append') ! HERE
      write(u, '(2i4)') i, j
      close(u)
    end do
  end do
end program
