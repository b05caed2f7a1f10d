! FIX flush-after-every-record trade: nobody else reads the records
program main
  implicit none
  integer :: u, i
  open(newunit=u, file='out')
  do i = 1, 50
    write(u, '(i6)') i
    flush(u) ! HERE
  end do
  close(u)
  print *, 'done'
end program
