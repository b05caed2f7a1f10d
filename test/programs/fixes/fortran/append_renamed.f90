! FIX open-close-in-loop example: another program moves the file away
program main
  implicit none
  integer :: u, i
  do i = 1, 3
    open(newunit=u, file='out', position='append') ! HERE
    write(u, *) i
    close(u)
    call execute_command_line('mv out out.old')
  end do
end program
