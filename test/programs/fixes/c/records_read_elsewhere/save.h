int save(const char *name, int count);
long size_of(const char *name);
