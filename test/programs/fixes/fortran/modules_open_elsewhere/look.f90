subroutine look()
  implicit none
  integer :: u, lines, status
  lines = 0
  open(newunit=u, file='steps.log', action='read')
  do
    read(u, *, iostat=status)
    if (status /= 0) exit
    lines = lines + 1
  end do
  close(u)
  print *, lines
end subroutine
