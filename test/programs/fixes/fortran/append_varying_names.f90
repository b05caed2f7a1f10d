! FIX open-close-in-loop example: each turn has a file of its own
program main
  implicit none
  integer :: u, i
  character(len=4) :: name
  do i = 1, 5
    write(name, '(a, i1)') 'out', mod(i, 2)
    open(newunit=u, file=name, position='append') ! HERE
    write(u, *) i
    close(u)
  end do
end program
