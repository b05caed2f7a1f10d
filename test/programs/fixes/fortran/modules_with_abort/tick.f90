subroutine tick()
  implicit none
  call abort()
end subroutine
