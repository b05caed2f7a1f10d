! FIX repeated-questions example: the loop turns the answer round
program asked
  implicit none
  integer :: step, found
  logical :: there
  found = 0
  do step = 1, 20
    inquire (file='table', exist=there) ! HERE
    there = .not. there
    if (there) found = found + step
  end do
  print *, found
end program
