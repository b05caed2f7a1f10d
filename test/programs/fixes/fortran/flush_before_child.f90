! FIX flush-after-every-record example: a child process reads the file
program main
  implicit none
  integer :: u, i
  open(newunit=u, file='out')
  do i = 1, 3
    write(u, *) i
    flush(u) ! HERE
    call execute_command_line('wc -l out')
  end do
  close(u)
end program
