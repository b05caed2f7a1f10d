! FIX open-close-in-loop trade: what is not called opens nothing
program main
  implicit none
  integer :: i
  i = len_trim(' ')
  if (i > 0) call record(i)
  print *, i
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
