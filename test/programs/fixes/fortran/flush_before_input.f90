! FIX flush-after-every-record example: who types the next line may have looked at the file
program main
  implicit none
  integer :: u, i, j, k
  open(newunit=u, file='out')
  do i = 1, 3
    write(u, *) i
    flush(u) ! HERE
    read(*, *, iostat=k) j
    if (k /= 0) exit
  end do
  close(u)
end program
