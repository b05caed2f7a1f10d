! FIX open-close-in-loop trade: the name is the same in all turns
program main
  implicit none
  integer :: u, i
  character(len=20) :: name
  name = 'out'
  do i = 1, 8
    open(newunit=u, file=trim(name), status='unknown', action='write', position='append') ! HERE
    write(u, *) 'line', i
    write(u, *) 'more'
    close(u)
  end do
end program
