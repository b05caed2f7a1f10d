! FIX repeated-questions trade: a file that nothing in the loop makes or removes
program asked
  implicit none
  integer :: step, found, unit
  logical :: there
  open (newunit=unit, file='table', status='replace')
  close (unit)
  found = 0
  do step = 1, 200
    inquire (file='table', exist=there) ! HERE
    if (there) found = found + step
  end do
  print *, found
end program
