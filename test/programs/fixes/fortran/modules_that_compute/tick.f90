subroutine tick(i)
  implicit none
  integer, intent(in) :: i
  if (mod(i, 50) == 0) print *, i
end subroutine
