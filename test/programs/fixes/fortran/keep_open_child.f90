! FIX open-close-in-loop example: another program moves the file away
program main
  implicit none
  integer :: i
  do i = 1, 12
    call record(i)
  end do
  call execute_command_line('mv out old')
  call record(7)
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
