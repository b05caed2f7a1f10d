! FIX posix-small-writes example: a procedure leaves the counter to its caller
program main
  implicit none
  integer :: u, i
  real(8) :: a(5) = 1.0d0
  open(newunit=u, file='out', access='stream', form='unformatted')
  call rows()
  print *, i
  close(u)
contains
  subroutine rows()
    do i = 1, 5
      write(u) a(i) ! HERE
    end do
  end subroutine
end program
