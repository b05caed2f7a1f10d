! The Fortran side of btio.c: direct access in records of 640 bytes (mode fortran), sequential files of each process (epio).
subroutine fortran_open(path, length) bind(c)
  use iso_c_binding
  integer(c_int), value :: length
  character(kind=c_char), intent(in) :: path(length)
  character(len=length) :: name
  name = transfer(path, name)
  open (unit=99, file=name, form='unformatted', access='direct', recl=640, action='write')
end subroutine

subroutine fortran_record(row, record) bind(c)
  use iso_c_binding
  real(c_double), intent(in) :: row(80)
  integer(c_int), value :: record
  write (99, rec=record) row ! FINDING records
end subroutine

subroutine fortran_close() bind(c)
  close (99)
end subroutine

subroutine epio_open(path, length, rank) bind(c)
  use iso_c_binding
  integer(c_int), value :: length, rank
  character(kind=c_char), intent(in) :: path(length)
  character(len=length) :: name
  character(len=8) :: number
  name = transfer(path, name)
  write (number, '(i0)') rank
  open (unit=98, file=name//'.'//trim(number), form='unformatted', access='sequential', action='write')
end subroutine

subroutine epio_cell(cell) bind(c)
  use iso_c_binding
  real(c_double), intent(in) :: cell(1280)
  write (98) cell ! FINDING own-file
end subroutine

subroutine epio_close() bind(c)
  close (98)
end subroutine
