! FIX repeated-questions trade: where the loop makes no turn, the answer stays
program asked
  implicit none
  call look(3)
  call look(0)
contains
  subroutine look(n)
    integer, intent(in) :: n
    integer :: step, found
    logical :: there
    there = .true.
    found = 0
    do step = 1, n
      inquire (file='absent', exist=there) ! HERE
      if (.not. there) found = found + step
    end do
    print *, found, there
  end subroutine
end program
