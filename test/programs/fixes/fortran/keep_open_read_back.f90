! FIX open-close-in-loop example: the program reads the file behind the loop
program main
  implicit none
  integer :: i
  do i = 1, 12
    call record(i)
  end do
  open(unit=20, file='out', status='old')
  read(20, *) i
  close(20, status='delete')
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
