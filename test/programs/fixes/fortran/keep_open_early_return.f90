! FIX open-close-in-loop example: a call that returns early leaves the file to the next open
program main
  implicit none
  integer :: i
  do i = 1, 12
    call record(i)
  end do
contains
  subroutine record(k)
    integer, intent(in) :: k
    integer :: u
    real :: x(2) = [1.0, 2.0]
    open(newunit=u, file='out', position='append') ! HERE
    if (k == 3) then
      close(u)
      return
    end if
    write(u, '(i4, 2f6.2)') k, x * k
    close(u)
  end subroutine
end program
