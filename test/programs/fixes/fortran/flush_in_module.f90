! FIX flush-after-every-record trade: module and program stand in one file
module logs
  implicit none
  integer :: unit
contains
  subroutine start(name)
    character(len=*), intent(in) :: name
    open(newunit=unit, file=name, status='replace', action='write')
  end subroutine
  subroutine record(k, x)
    integer, intent(in) :: k
    real, intent(in) :: x(:)
    write(unit, '(i4, 3f8.3)') k, sum(x), maxval(x)
    flush(unit) ! HERE
  end subroutine
  subroutine finish()
    close(unit)
  end subroutine
end module

program main
  use logs
  implicit none
  integer :: k
  real :: x(4) = 1.25
  call start('out')
  do k = 1, 20
    call record(k, x * k)
  end do
  call finish()
end program
