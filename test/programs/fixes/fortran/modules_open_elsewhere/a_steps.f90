! FIX open-close-in-loop example: another source reads the file by its name
module steps
  implicit none
contains
  subroutine add_step(i)
    integer, intent(in) :: i
    integer :: u
    open(newunit=u, file='steps.log', position='append', action='write') ! HERE
    write(u, '(i6)') i
    close(u)
  end subroutine
end module
