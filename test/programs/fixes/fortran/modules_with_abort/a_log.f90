! FIX flush-after-every-record example: another source ends the program without its units
module log_lines
  implicit none
contains
  subroutine log_line(u, i)
    integer, intent(in) :: u, i
    write(u, '(i6)') i
    flush(u) ! HERE
  end subroutine
end module
