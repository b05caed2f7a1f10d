int write_row(int fd, const double *row, int n);
