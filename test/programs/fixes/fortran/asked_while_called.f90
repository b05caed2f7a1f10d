! FIX repeated-questions example: a procedure that the loop calls makes the file
program asked
  implicit none
  integer :: step, found
  logical :: there
  found = 0
  do step = 1, 20
    inquire (file='table', exist=there) ! HERE
    if (there) found = found + step
    if (step == 10) call make()
  end do
  print *, found
contains
  subroutine make()
    integer :: unit
    open (newunit=unit, file='table', status='replace')
    close (unit)
  end subroutine
end program
