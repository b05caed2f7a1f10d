! FIX flush-after-every-record example: whoever reads the output waits for it
program main
  use iso_fortran_env, only: output_unit
  implicit none
  integer :: i
  do i = 1, 3
    write(output_unit, *) i
    flush(output_unit) ! HERE
  end do
end program
