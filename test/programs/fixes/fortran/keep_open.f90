! FIX open-close-in-loop trade: the end of the program closes the file
program main
  implicit none
  integer :: i
  do i = 1, 12
    call record(i)
  end do
  call record(99)
contains
  subroutine record(k)
    integer, intent(in) :: k
    integer :: u
    real :: x(2) = [1.0, 2.0]
    open(newunit=u, file='out', position='append') ! HERE
    write(u, '(i4, 2f6.2)') k, x * k
    close(u)
  end subroutine
end program
