! FIX repeated-questions example: the loop makes the file
program asked
  implicit none
  integer :: step, found, unit
  logical :: there
  found = 0
  do step = 1, 20
    inquire (file='table', exist=there) ! HERE
    if (there) found = found + step
    if (step == 10) then
      open (newunit=unit, file='table', status='replace')
      close (unit)
    end if
  end do
  print *, found
end program
