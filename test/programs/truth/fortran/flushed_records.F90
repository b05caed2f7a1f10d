! 2,000 lines of energies, each flushed, or when the buffer is full.
subroutine prepare() bind(c)
end subroutine

subroutine workload() bind(c)
  integer :: unit, step
  open (newunit=unit, file='truth.dat', status='replace', action='write')
  do step = 1, 2000
    write (unit, '(i8, f16.6)') step, step*0.5
#if !REPAIRED
    flush (unit) ! PLANTED L04
#endif
  end do
  close (unit)
end subroutine
