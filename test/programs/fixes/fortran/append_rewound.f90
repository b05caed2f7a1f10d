! FIX open-close-in-loop example: the file is read back from its start
program main
  implicit none
  integer :: u, i, k
  do i = 1, 3
    open(newunit=u, file='out', position='append') ! HERE
    write(u, *) i
    rewind(u)
    read(u, *) k
    close(u)
    print *, k
  end do
end program
