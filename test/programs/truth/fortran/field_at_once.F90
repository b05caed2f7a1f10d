! A field of 4 MiB, written and read back by one statement each.
subroutine prepare() bind(c)
end subroutine

subroutine workload() bind(c)
  integer :: unit
  real(8), allocatable :: field(:, :)
  allocate (field(1024, 512))
  field = 2.5
  open (newunit=unit, file='truth.dat', access='stream', form='unformatted', status='replace')
  write (unit) field
  rewind (unit)
  read (unit) field
  close (unit)
  if (sum(field) < 1) stop 1
end subroutine
