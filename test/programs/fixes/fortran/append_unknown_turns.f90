! FIX open-close-in-loop trade: nothing is opened where the loop makes no turn
program main
  implicit none
  integer :: u, i, n
  logical :: there
  character(len=8) :: text = ' '
  n = len_trim(text)
  do i = 1, n
    open(newunit=u, file='out', position='append') ! HERE
    write(u, *) i
    close(u)
  end do
  inquire(file='out', exist=there)
  print *, there
end program
