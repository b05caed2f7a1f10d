! FIX flush-after-every-record example: another source starts a child that reads the file
module log_lines
  implicit none
contains
  subroutine log_line(u, i)
    integer, intent(in) :: u, i
    write(u, '(i6)') i
    flush(u) ! HERE
  end subroutine
end module
