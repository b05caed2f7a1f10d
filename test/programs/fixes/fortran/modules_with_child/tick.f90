subroutine tick()
  implicit none
  call execute_command_line('wc -l < run.log')
end subroutine
