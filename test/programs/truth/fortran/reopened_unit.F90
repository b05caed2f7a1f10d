! 600 lines, each added to a file that is opened for it, or once.
subroutine prepare() bind(c)
end subroutine

subroutine workload() bind(c)
  integer :: unit, step
#if REPAIRED
  open (newunit=unit, file='truth.dat', position='append', action='write')
#endif
  do step = 1, 600
#if !REPAIRED
    open (newunit=unit, file='truth.dat', position='append', action='write') ! PLANTED L02
#endif
    write (unit, '(i8)') step
#if !REPAIRED
    close (unit)
#endif
  end do
#if REPAIRED
  close (unit)
#endif
end subroutine
