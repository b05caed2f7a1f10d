! Formatted and unformatted records through the runtime's buffers: nothing to mend.
subroutine prepare() bind(c)
end subroutine

subroutine workload() bind(c)
  integer :: lines, records, step
  real(8) :: row(64)
  open (newunit=lines, file='lines.txt', status='replace', action='write')
  open (newunit=records, file='truth.dat', form='unformatted', status='replace', action='write')
  row = 1.5
  do step = 1, 3000
    write (lines, '(i8, f16.6)') step, row(1)
    write (records) row
  end do
  close (lines)
  close (records)
end subroutine
