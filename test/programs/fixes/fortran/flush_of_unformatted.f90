! FIX flush-after-every-record trade: records of a sequential file
program main
  implicit none
  integer :: u, i
  open(newunit=u, file='out', form='unformatted')
  do i = 1, 50
    write(u) i, real(i)
    flush(unit=u) ! HERE
  end do
  close(u)
end program
