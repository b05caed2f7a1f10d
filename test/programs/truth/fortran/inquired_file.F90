! Whether a file is there, asked for each of 2,000 steps, or once.
subroutine prepare() bind(c)
  integer :: unit
  open (newunit=unit, file='truth.dat', status='replace')
  close (unit)
end subroutine

subroutine workload() bind(c)
  integer :: step, found
  logical :: there
  found = 0
#if REPAIRED
  inquire (file='truth.dat', exist=there)
#endif
  do step = 1, 2000
#if !REPAIRED
    inquire (file='truth.dat', exist=there) ! PLANTED L12
#endif
    if (there) found = found + 1
  end do
  if (found /= 2000) stop 1
end subroutine
