subroutine tick(i)
  implicit none
  integer, intent(in) :: i
  integer :: bytes
  if (mod(i, 50) /= 0) return
  inquire(file='run.log', size=bytes)
  print *, bytes
end subroutine
