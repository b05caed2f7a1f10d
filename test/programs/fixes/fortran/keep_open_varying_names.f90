! FIX open-close-in-loop example: each call may have a file of its own
program main
  implicit none
  integer :: i
  do i = 1, 4
    call record(mod(i, 2))
  end do
contains
  subroutine record(k)
    integer, intent(in) :: k
    integer :: u
    real :: x(2) = [1.0, 2.0]
    open(newunit=u, file=achar(97 + k), position='append') ! HERE
    write(u, '(i4, 2f6.2)') k, x * k
    close(u)
  end subroutine
end program
