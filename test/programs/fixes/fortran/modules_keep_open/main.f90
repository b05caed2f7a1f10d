program main
  use steps
  implicit none
  integer :: i
  do i = 1, 100
    call add_step(i)
  end do
end program
