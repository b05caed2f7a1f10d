! Fortran: a module's procedure, an internal one that sees its host's variables, and a recursive one.
module fields
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function checkpoint() bind(c)
      import c_int
    end function
  end interface
contains
  recursive integer function descend(level, field) result(total)
    integer, intent(in) :: level
    real(8), intent(in) :: field(:)
    real(8) :: copy(size(field))
    copy = field + level
    if (level == 0) then
      total = checkpoint() + int(sum(copy))
    else
      total = descend(level - 1, copy) + 1
    end if
  end function
end module

program main
  use fields
  implicit none
  real(8) :: field(100)
  integer :: i, total
  field = 1
  total = 0
  do i = 1, 5
    call step(i)
  end do
  if (total < 0) stop 1
contains
  subroutine step(level)
    integer, intent(in) :: level
    total = total + descend(level, field(1:10 * level))
  end subroutine
end program
