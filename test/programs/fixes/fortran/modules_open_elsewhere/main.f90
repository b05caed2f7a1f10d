program main
  use steps
  implicit none
  integer :: i
  do i = 1, 100
    call add_step(i)
    if (mod(i, 50) == 0) call look()
  end do
end program
