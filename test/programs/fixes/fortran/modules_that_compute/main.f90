program main
  use log_lines
  implicit none
  integer :: u, i
  open(newunit=u, file='run.log', status='replace', action='write')
  do i = 1, 100
    call log_line(u, i)
    call tick(i)
  end do
  close(u)
end program
