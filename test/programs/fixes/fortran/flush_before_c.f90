! FIX flush-after-every-record example: a function of C ends the program without its buffers
program main
  use iso_c_binding, only: c_int
  implicit none
  interface
    subroutine leave(status) bind(c, name='_exit')
      import :: c_int
      integer(c_int), value :: status
    end subroutine
  end interface
  integer :: u, i
  open(newunit=u, file='out')
  do i = 1, 3
    write(u, *) i
    flush(u) ! HERE
  end do
  call leave(0_c_int)
  close(u)
end program
