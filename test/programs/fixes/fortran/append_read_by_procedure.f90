! FIX open-close-in-loop example: a procedure opens the file as well
program main
  implicit none
  integer :: u, i
  do i = 1, 3
    open(newunit=u, file='out', position='append') ! HERE
    write(u, *) i
    close(u)
    call show()
  end do
contains
  subroutine show()
    integer :: v, k
    open(newunit=v, file='out', status='old')
    read(v, *) k
    close(v)
    print *, k
  end subroutine
end program
