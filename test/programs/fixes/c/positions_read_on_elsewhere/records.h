void make_records(const char *name);
long read_record(int fd, unsigned number);
long rest(int fd);
