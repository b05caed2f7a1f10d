! FIX flush-after-every-record trade: the unit is passed to a procedure of this file
program main
  implicit none
  integer :: u, i
  open(newunit=u, file='out')
  do i = 1, 50
    call record(u, i)
  end do
  close(u)
contains
  subroutine record(unit, k)
    integer, intent(in) :: unit, k
    write(unit, '(a, i0)') 'step ', k
    flush(unit) ! HERE
  end subroutine
end program
